import type { Engine } from "@skein/ci";
import type { CommitRange } from "./compare/commits.js";
import type { YardstickName } from "./compare/comparison.js";

/** The source of the changes, as the command line names it. */
export interface ChangeOptions {
  readonly base: string | undefined;
  readonly head: string | undefined;
  readonly since: string | undefined;
  /** Ignore the working tree. */
  readonly committed: boolean;
  readonly pr: string | undefined;
  readonly filesFrom: string | undefined;
  readonly deepen: "auto" | "never";
  readonly fallback: "error" | "all";
}

/** The options of every command that selects packages. */
export interface SelectOptions extends ChangeOptions {
  readonly filter: readonly string[];
  readonly sourceEdges: boolean;
}

/** The options of a command line that names none of them. */
export const DEFAULT_OPTIONS: SelectOptions = {
  base: undefined,
  head: undefined,
  since: undefined,
  committed: false,
  pr: undefined,
  filesFrom: undefined,
  deepen: "auto",
  fallback: "error",
  filter: [],
  sourceEdges: true,
};

/** All verbs, in the order of the help. Any other first word is a script. */
export const verbs = [
  "list",
  "why",
  "why-not",
  "run",
  "watch",
  "graph",
  "audit",
  "trace",
  "compare",
  "fingerprint",
  "cache",
  "targets",
  "init",
] as const;

/** The formats of `affected graph`. */
export const graphFormats = ["mermaid", "dot", "json", "html"] as const;
export type GraphFormat = (typeof graphFormats)[number];

export type ListFormat = "names" | "table" | "json";

/** A parsed command line. It contains what to do, and nothing about how it was typed. */
export type Command =
  | {
      readonly kind: "list";
      readonly options: SelectOptions;
      readonly script: string | undefined;
      readonly format: ListFormat;
      /** Files that `trace --evidence` wrote, the newest last; undefined for the evidence of this clone. */
      readonly evidence: readonly string[] | undefined;
    }
  | {
      readonly kind: "why" | "why-not";
      readonly options: SelectOptions;
      readonly workspace: string;
      readonly script: string | undefined;
      readonly all: boolean;
      readonly json: boolean;
    }
  | {
      readonly kind: "graph";
      readonly options: SelectOptions;
      readonly format: GraphFormat;
      readonly output: string | undefined;
      readonly affectedOnly: boolean;
      /** Open it in the browser. */
      readonly open: boolean;
      /** The script whose task graph is drawn instead of the packages. */
      readonly tasks: string | undefined;
    }
  | {
      readonly kind: "audit";
      readonly check: boolean;
      readonly fix: boolean;
      readonly json: boolean;
    }
  | {
      readonly kind: "trace";
      readonly options: SelectOptions;
      readonly trace: TraceOptions;
    }
  | {
      readonly kind: "fingerprint";
      readonly fingerprint: FingerprintOptions;
    }
  | {
      readonly kind: "compare";
      /** The other side of the comparison. */
      readonly peer: YardstickName;
      /** The file of its program; undefined for the one that the repository installs. */
      readonly peerBin: string | undefined;
      readonly range: CommitRange;
      readonly script: string | undefined;
      readonly json: boolean;
    }
  | {
      readonly kind: "targets";
      readonly options: SelectOptions;
      readonly script: string | undefined;
      /** Undefined for that of the event. */
      readonly targetBranch: string | undefined;
    }
  | { readonly kind: "init"; readonly options: InitOptions }
  | {
      readonly kind: "cache";
      readonly verb: "status" | "prune" | "clear";
      /** The number of bytes that may remain; undefined for the cache's limit. */
      readonly maxBytes: number | undefined;
      readonly json: boolean;
    }
  | {
      /** `watch` reruns the scripts that a saved file affects. */
      readonly kind: "run" | "watch";
      readonly options: SelectOptions;
      readonly run: RunOptions;
    };

/** The members of a command besides its kind and its selection; most are options of the same name. */
export type Fields<Kind extends Command["kind"]> = Omit<
  Extract<Command, { readonly kind: Kind }>,
  "kind" | "options"
>;

/** The options for setting a workspace up. */
export interface InitOptions {
  /** Whether init writes the files: after a question, immediately, or not at all. */
  readonly mode: "ask" | "write" | "dry-run" | "check";
  readonly plugin: boolean;
  /** A checkout of Skein, or a range for package.json; undefined for this version. */
  readonly from: string | undefined;
  /** The commit of Skein's workflows; undefined for that of this version's tag. */
  readonly pin: string | undefined;
  /** Undefined for the engine that the repository's files show. */
  readonly engine: Engine | undefined;
  /** Undefined: compare if the other tool is installed. */
  readonly compare: boolean | undefined;
  readonly json: boolean;
}

/** The options for recording runs and for printing the result. */
export interface TraceOptions {
  readonly script: string;
  /** Include every package that has the script, not only affected ones. */
  readonly all: boolean;
  /** Exit with 1 if there are misses. */
  readonly check: boolean;
  readonly concurrency: number | undefined;
  /** In seconds; undefined for no limit. */
  readonly timeout: number | undefined;
  readonly recorder: "auto" | "hooks";
  readonly json: boolean;
  readonly report: string | undefined;
  readonly html: string | undefined;
  /** The file for evidence that other machines use; undefined for none. */
  readonly evidence: string | undefined;
}

/** The options for running scripts. */
export interface RunOptions {
  readonly script: string;
  readonly args: readonly string[];
  readonly concurrency: number | undefined;
  readonly bail: boolean;
  readonly output: "full" | "failed" | "none";
  /** List scripts that passed in the summary. */
  readonly verbose: boolean;
  /** In seconds; undefined for no limit. */
  readonly timeout: number | undefined;
  readonly junit: string | undefined;
  readonly report: string | undefined;
  readonly dryRun: boolean;
  readonly includeRoot: boolean;
  /** Include every package that has the script, not only affected ones. */
  readonly all: boolean;
  /** Whether to replay earlier results: `force` runs everything and caches the results, `off` doesn't use the cache. */
  readonly cache: "on" | "force" | "off";
  /** If no selected package has the script, run nothing and report no error. */
  readonly ifPresent: boolean;
  readonly json: boolean;
  /** Let scripts that run plain Jest share processes. */
  readonly batch: boolean;
}

/** The options of `affected fingerprint`. */
export interface FingerprintOptions {
  readonly script: string;
  /** The commit to read; undefined for the working tree. */
  readonly head: string | undefined;
  readonly filter: readonly string[];
  readonly json: boolean;
  /** The package whose fields and facts are printed. */
  readonly explain: string | undefined;
  /** The commit to compare with. */
  readonly diff: string | undefined;
}

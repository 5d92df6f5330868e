import type { Engine } from "@skein/ci";
import type { CommitRange } from "./compare/commits.js";
import type { YardstickName } from "./compare/comparison.js";

/** Where the changes come from, as it was asked for. */
export interface ChangeOptions {
  readonly base: string | undefined;
  readonly head: string | undefined;
  readonly since: string | undefined;
  /** Leave the working tree out. */
  readonly committed: boolean;
  readonly pr: string | undefined;
  readonly filesFrom: string | undefined;
  readonly deepen: "auto" | "never";
  readonly fallback: "error" | "all";
}

/** What every command that selects packages takes. */
export interface SelectOptions extends ChangeOptions {
  readonly filter: readonly string[];
  readonly sourceEdges: boolean;
}

/** Every verb, in the order of the help. Any other first word is a script. */
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
  "init",
  "fingerprint",
  "cache",
  "targets",
] as const;

/** Every format of `affected graph`. */
export const graphFormats = ["mermaid", "dot", "json", "html"] as const;
export type GraphFormat = (typeof graphFormats)[number];

export type ListFormat = "names" | "table" | "json";

/** One parsed command line: what is to be done, and nothing of how it was typed. */
export type Command =
  | {
      readonly kind: "list";
      readonly options: SelectOptions;
      readonly script: string | undefined;
      readonly format: ListFormat;
    }
  | {
      readonly kind: "why" | "why-not";
      readonly options: SelectOptions;
      readonly workspace: string;
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
      /** The other side. */
      readonly peer: YardstickName;
      /** Its program's file; undefined for the repository's own. */
      readonly peerBin: string | undefined;
      readonly range: CommitRange;
      readonly script: string | undefined;
      readonly json: boolean;
    }
  | {
      readonly kind: "targets";
      readonly options: SelectOptions;
      readonly script: string | undefined;
      /** Undefined for the event's. */
      readonly targetBranch: string | undefined;
    }
  | { readonly kind: "init"; readonly options: InitOptions }
  | {
      readonly kind: "cache";
      readonly verb: "status" | "prune" | "clear";
      /** Bytes that may remain; undefined for the bound. */
      readonly maxBytes: number | undefined;
      readonly json: boolean;
    }
  | {
      /** `watch` runs again whatever a saved file affects. */
      readonly kind: "run" | "watch";
      readonly options: SelectOptions;
      readonly run: RunOptions;
    };

/** How a workspace is set up. */
export interface InitOptions {
  /** Whether the files are written: after a question, at once, or not at all. */
  readonly mode: "ask" | "write" | "dry-run" | "check";
  readonly plugin: boolean;
  /** A checkout of Skein, or a range for package.json; undefined for this version. */
  readonly from: string | undefined;
  /** The commit of Skein's workflows; undefined for that of this version's tag. */
  readonly pin: string | undefined;
  /** Undefined for the one that the repository's files show. */
  readonly engine: Engine | undefined;
  /** Undefined: where the other tool is installed. */
  readonly compare: boolean | undefined;
  readonly json: boolean;
}

/** What is recorded, and what is printed of it. */
export interface TraceOptions {
  readonly script: string;
  /** Every package that has the script, not only those that are affected. */
  readonly all: boolean;
  /** Exit with 1 if there are misses. */
  readonly check: boolean;
  readonly concurrency: number | undefined;
  /** Seconds; undefined for none. */
  readonly timeout: number | undefined;
  readonly recorder: "auto" | "hooks";
  readonly json: boolean;
  readonly report: string | undefined;
  readonly html: string | undefined;
}

/** How scripts are run. */
export interface RunOptions {
  readonly script: string;
  readonly args: readonly string[];
  readonly concurrency: number | undefined;
  readonly bail: boolean;
  readonly output: "full" | "failed" | "none";
  /** List scripts that passed in the summary. */
  readonly verbose: boolean;
  /** Seconds; undefined for none. */
  readonly timeout: number | undefined;
  readonly junit: string | undefined;
  readonly report: string | undefined;
  readonly dryRun: boolean;
  readonly includeRoot: boolean;
  /** Every package that has the script, not only those that are affected. */
  readonly all: boolean;
  /** Whether earlier results are replayed: `force` runs everything and keeps it, `off` leaves the cache alone. */
  readonly cache: "on" | "force" | "off";
  /** Run nothing, without an error, where no selected package has the script. */
  readonly ifPresent: boolean;
  readonly json: boolean;
  /** Scripts of plain Jest may share processes. */
  readonly batch: boolean;
}

/** What `affected fingerprint` was asked for. */
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

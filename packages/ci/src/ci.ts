/** The environment of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The CI engines whose variables Skein reads. */
export const ENGINES = ["github-actions", "gitlab-ci", "buildkite"] as const;
export type Engine = (typeof ENGINES)[number];

/** The engines' names for people. */
export const ENGINE_TITLES: Readonly<Record<Engine, string>> = {
  "github-actions": "GitHub Actions",
  "gitlab-ci": "GitLab CI",
  buildkite: "Buildkite",
};

/** The facts that the engine reports about the process. No other code reads the engines' variables. */
export interface Ci {
  /** Undefined on a person's machine, and in an engine that Skein doesn't support. */
  readonly engine: Engine | undefined;
  /** Whether any CI runs this process (`CI` is set). Then there is no interactive terminal. */
  readonly isCi: boolean;
  /** The path of the repository on its server: `owner/name`, with more parts on GitLab. Untrusted text. */
  readonly repository: string | undefined;
  /** The URL of the repository's server, such as `https://github.com`. */
  readonly server: string | undefined;
  /** The commit that the engine checks out. Untrusted text. */
  readonly commit: string | undefined;
  /** The full ref of the run: `refs/heads/main`, `refs/tags/v1`. Untrusted text. */
  readonly ref: string | undefined;
  /** The name of the default branch, if a variable contains it. */
  readonly defaultBranch: string | undefined;
  /** The number of the pull request or merge request, if a variable contains it. */
  readonly pull: number | undefined;
  readonly run: CiRun;
  readonly log: CiLog;
  /** The files that a step appends to; undefined if the engine has none. */
  readonly outputs: string | undefined;
  readonly summary: string | undefined;
  /** The change to compare, as the engine reports it. */
  readonly event: CiEventSource;
}

/** A run of a pipeline, and its job that this process belongs to. */
export interface CiRun {
  readonly id: string | undefined;
  /** The number of the attempt, 1-based. */
  readonly attempt: number;
  readonly url: string | undefined;
  /** The job's name or key. */
  readonly job: string | undefined;
  /** The file name of the workflow, `ci.yml`; only in GitHub Actions. */
  readonly workflow: string | undefined;
}

/** The features of the engine's log. */
export interface CiLog {
  /** Whether the log interprets workflow commands, such as `::group::` and `::error::`. */
  readonly commands: boolean;
}

/** The source of base and head of the change. */
export type CiEventSource =
  /** GitHub Actions writes the event into a file. Both are empty if their variables are not set. */
  | { readonly kind: "file"; readonly name: string; readonly path: string }
  /** The other engines set variables. */
  | {
      readonly kind: "variables";
      /** The engine's name of the event that started the run. */
      readonly name: string;
      readonly change: CiChange;
    };

/** The base and head of a change, from variables. Commit ids are full; all names are untrusted text. */
export type CiChange =
  | {
      readonly kind: "merge-request";
      readonly number: number;
      readonly targetBranch: string;
      /** The checked-out commit, which may be a trial merge. */
      readonly head: string;
      /** The tip of the source branch, which is the second parent of a trial merge. */
      readonly source: string;
    }
  /** A group in a merge queue, with its base commit. */
  | {
      readonly kind: "merge-group";
      readonly base: string;
      readonly head: string;
    }
  | {
      readonly kind: "push";
      /** Undefined for the first push of a branch, or if no variable contains it. */
      readonly before: string | undefined;
      readonly after: string;
    }
  /** No variable contains a base. */
  | { readonly kind: "no-base"; readonly detail: string };

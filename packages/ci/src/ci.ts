/** The environment of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The CI engines whose variables Skein reads. */
export type Engine = "github-actions" | "gitlab-ci" | "buildkite";

/** The facts that the engine reports about the process: the only reading of the engines' variables. */
export interface Ci {
  /** Undefined on a person's machine, and under an engine that Skein does not know. */
  readonly engine: Engine | undefined;
  /** Whether any CI runs this process (`CI` is set): then no terminal is live. */
  readonly isCi: boolean;
  /** Path of the repository on its server: `owner/name`, with more parts at GitLab. Untrusted text. */
  readonly repository: string | undefined;
  /** Address of the repository's server, such as `https://github.com`. */
  readonly server: string | undefined;
  /** The commit that the engine checks out. Untrusted text. */
  readonly commit: string | undefined;
  /** The full ref that it runs for: `refs/heads/main`, `refs/tags/v1`. Untrusted text. */
  readonly ref: string | undefined;
  /** Name of the default branch, where a variable holds it. */
  readonly defaultBranch: string | undefined;
  /** Number of the pull request or merge request, where a variable holds it. */
  readonly pull: number | undefined;
  readonly run: CiRun;
  readonly log: CiLog;
  /** Files that a step adds to; undefined where the engine has none. */
  readonly outputs: string | undefined;
  readonly summary: string | undefined;
  /** What the run compares, as the engine reports it. */
  readonly event: CiEventSource;
}

/** One run of a pipeline, and the job of it that this process belongs to. */
export interface CiRun {
  readonly id: string | undefined;
  /** 1-based. */
  readonly attempt: number;
  readonly url: string | undefined;
  /** The job's name or key. */
  readonly job: string | undefined;
  /** Which of several equal jobs this is; undefined where the job is alone. */
  readonly leg: string | undefined;
  /** File name of the workflow, `ci.yml`; GitHub Actions only. */
  readonly workflow: string | undefined;
}

/** What the engine's log understands. */
export interface CiLog {
  /** Whether lines of a log are workflow commands, such as `::group::` and `::error::`. */
  readonly commands: boolean;
}

/** Where the two ends of the change come from. */
export type CiEventSource =
  /** GitHub Actions writes the event into a file. Both are empty where nothing sets them. */
  | { readonly kind: "file"; readonly name: string; readonly path: string }
  /** The other engines have variables. */
  | {
      readonly kind: "variables";
      /** What the engine calls that which started the run. */
      readonly name: string;
      readonly change: CiChange;
    };

/** The two ends of a change, from variables. Commit ids are whole; all names are untrusted text. */
export type CiChange =
  | {
      readonly kind: "merge-request";
      readonly number: number;
      readonly targetBranch: string;
      /** The commit that is checked out, which may be a trial merge. */
      readonly head: string;
      /** The tip of the source branch, which is the second parent of a trial merge. */
      readonly source: string;
      readonly isFork: boolean;
    }
  /** A group that waits in a merge queue, on top of another commit. */
  | {
      readonly kind: "merge-group";
      readonly base: string;
      readonly head: string;
    }
  | {
      readonly kind: "push";
      /** Undefined for the first push of a branch, and where no variable holds it. */
      readonly before: string | undefined;
      readonly after: string;
    }
  /** Nothing names a base. */
  | { readonly kind: "no-base"; readonly detail: string };

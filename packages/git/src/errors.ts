/**
 * A problem with the repository, or with a request to it. It is data only: a renderer has the message of each `kind` in
 * a `Record`, so that a new kind without a message does not compile.
 */
export type RepositoryProblem =
  | { readonly kind: "git-not-installed" }
  | { readonly kind: "no-such-folder"; readonly cwd: string }
  | {
      readonly kind: "not-a-repository";
      readonly cwd: string;
      readonly message: string;
    }
  | {
      /** Git refuses a repository that belongs to another user. `message` contains git's own hint. */
      readonly kind: "dubious-ownership";
      readonly cwd: string;
      readonly message: string;
    }
  | {
      readonly kind: "unknown-ref";
      readonly ref: string;
      /** Refs with similar names, nearest first. */
      readonly suggestions: readonly string[];
      /** The command that would fetch the ref, if its name determines the remote. */
      readonly command: string | undefined;
      /** Git's error message, if Skein tried to fetch the ref and failed. */
      readonly message: string | undefined;
    }
  | { readonly kind: "no-default-branch"; readonly tried: readonly string[] }
  | {
      readonly kind: "no-merge-base";
      readonly base: string;
      readonly head: string;
      /** `shallow`: the clone's history ends before a merge base. `unrelated`: the history is complete and has none. */
      readonly why: "shallow" | "unrelated";
      /** The exact command that fetches the missing history. */
      readonly command: string | undefined;
      /** Git's error message, if Skein tried to fetch the history and failed. */
      readonly message: string | undefined;
    };

/** An error for a repository, or a request to it, that Skein cannot work with. */
export class RepositoryError extends Error {
  override readonly name = "RepositoryError";
  readonly problem: RepositoryProblem;

  constructor(problem: RepositoryProblem, options?: ErrorOptions) {
    super(JSON.stringify(problem), options);
    this.problem = problem;
  }
}

/** Returns the message of an error from git or simple-git, without passwords and tokens in URLs. */
export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.trim().replaceAll(/:\/\/[^/@\s]+@/g, "://***@");
}

/**
 * A problem with the repository, or with a request to it. It is data only: the code that speaks to the user finds the
 * words, in a `Record` over `kind`, so that a new kind without words does not compile.
 */
export type RepositoryProblem =
  | { readonly kind: "git-not-installed" }
  | { readonly kind: "no-such-folder"; readonly cwd: string }
  | {
      readonly kind: "not-a-repository";
      readonly cwd: string;
      readonly said: string;
    }
  | {
      /** Git refuses a repository that belongs to somebody else; `said` holds its own way out. */
      readonly kind: "dubious-ownership";
      readonly cwd: string;
      readonly said: string;
    }
  | {
      readonly kind: "unknown-ref";
      readonly ref: string;
      /** Refs with a name like it, nearest first. */
      readonly suggestions: readonly string[];
      /** The command that would fetch it, where the name says from which remote. */
      readonly command: string | undefined;
      /** Git's words, where that was tried and failed. */
      readonly said: string | undefined;
    }
  | { readonly kind: "no-default-branch"; readonly tried: readonly string[] }
  | {
      readonly kind: "no-merge-base";
      readonly base: string;
      readonly head: string;
      /** `shallow`: the history that is here ends before one; `unrelated`: it is whole, and there is none. */
      readonly why: "shallow" | "unrelated";
      /** The exact command that fetches the missing history. */
      readonly command: string | undefined;
      /** Git's words, where a fetch was tried and failed. */
      readonly said: string | undefined;
    };

/** The repository, or what was asked of it, is not as it must be. */
export class RepositoryError extends Error {
  override readonly name = "RepositoryError";
  readonly problem: RepositoryProblem;

  constructor(problem: RepositoryProblem, options?: ErrorOptions) {
    super(JSON.stringify(problem), options);
    this.problem = problem;
  }
}

/** Returns the message of an error of git or simple-git, without the passwords and tokens that people put into URLs. */
export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.trim().replaceAll(/:\/\/[^/@\s]+@/g, "://***@");
}

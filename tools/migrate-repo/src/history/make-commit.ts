import { withEnv, type Git } from "@skein/git";

/** The committer of a migration's commits, and the time of the commits. */
export interface Committer {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Creates one commit and runs no hook. As with `git commit`, GIT_AUTHOR_* and GIT_COMMITTER_* of the environment take
 * precedence.
 */
export async function makeCommit(
  git: Git,
  by: Committer,
  commit: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly message: string;
  },
): Promise<string> {
  const date = `@${Math.floor(by.now / 1000)} +0000`;
  const someone = withEnv(git, {
    GIT_AUTHOR_NAME: by.name,
    GIT_AUTHOR_EMAIL: by.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: by.name,
    GIT_COMMITTER_EMAIL: by.email,
    GIT_COMMITTER_DATE: date,
    ...Object.fromEntries(
      Object.entries(git.env).filter(([name]) =>
        /^GIT_(?:AUTHOR|COMMITTER)_/.test(name),
      ),
    ),
  });
  const { stdout } = await someone.run(
    [
      ...["-c", "i18n.commitEncoding=utf-8", "commit-tree"],
      ...commit.parents.flatMap((parent) => ["-p", parent]),
      ...["-F", "-", commit.tree],
    ],
    { input: commit.message },
  );
  return stdout.toString().trim();
}

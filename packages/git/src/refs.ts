import { RepositoryError } from "./errors.js";
import type { Git } from "./git.js";

/** Returns whether this is a full object id (SHA-1 or SHA-256). */
export function isObjectId(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/**
 * Returns the commit that a user's ref names. The ref cannot become an option.
 * @param ref a branch, tag, id, or any expression of gitrevisions(7) that names one commit
 * @returns the commit's full id, or undefined if the ref names none
 */
export async function findCommit(
  git: Git,
  ref: string,
): Promise<string | undefined> {
  if (!canBeRef(ref)) return undefined;
  const verify = (name: string) =>
    git.run(["rev-parse", "--verify", "--end-of-options", name], {
      answers: [0, 128],
    });
  // The text of `:/text` includes everything up to its end, so a suffix would be part of it. It finds only commits
  // anyway.
  const { stdout } = await verify(
    ref.startsWith(":/") ? ref : `${ref}^{commit}`,
  );
  const id = stdout.toString("latin1").trim();
  // `^main` is a valid input of rev-parse too, but excludes commits.
  return isObjectId(id) ? id : undefined;
}

/** Returns the id of the commit that a ref names. @throws {RepositoryError} `unknown-ref`, with refs of a similar name */
export async function resolveCommit(git: Git, ref: string): Promise<string> {
  const commit = await findCommit(git, ref);
  if (commit === undefined) throw await unknownRef(git, ref);
  return commit;
}

/** Returns the error for a ref that doesn't name a commit. */
export async function unknownRef(
  git: Git,
  ref: string,
  { command, message }: { command?: string; message?: string } = {},
): Promise<RepositoryError> {
  const { stdout } = await git.run([
    "for-each-ref",
    "--format=%(refname:short)",
    "refs/heads",
    "refs/remotes",
    "refs/tags",
  ]);
  // Loaded only for the error, to keep start-up fast.
  const { nearNames } = await import("./base/near-names.js");
  const names = stdout.toString("utf8").split("\n").filter(Boolean);
  return new RepositoryError({
    kind: "unknown-ref",
    ref,
    suggestions: nearNames(ref, names),
    command,
    message,
  });
}

/**
 * Returns whether git accepts this text as an argument. Refs cannot contain control characters, and arguments cannot
 * contain NUL.
 */
export function canBeRef(text: string): boolean {
  return (
    text !== "" &&
    Array.from(text).every((letter) => letter >= " " && letter !== "\x7f")
  );
}

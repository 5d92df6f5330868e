import type { Git } from "@skein/git";
import { parseRemoteUrl, type RemoteRepository } from "@skein/github";

/**
 * Returns the repository on GitHub that a clone comes from: its remote `origin`, else its only remote. It respects
 * `url.*.insteadOf` of git's config. Only host, owner and name of the URL are returned, so no password leaves this
 * function.
 * @returns undefined if there is no such remote, or it is not on a server
 */
export async function findRemoteRepository(
  git: Git,
): Promise<RemoteRepository | undefined> {
  const { stdout } = await git.run(["remote"]);
  const names = stdout.toString("utf8").split("\n").filter(Boolean);
  const name = names.includes("origin")
    ? "origin"
    : names.length === 1
      ? names[0]
      : undefined;
  if (name === undefined) return undefined;
  const url = await git.run(
    ["ls-remote", "--get-url", "--end-of-options", name],
    { answers: [0, 128] },
  );
  return parseRemoteUrl(url.stdout.toString("utf8").trim());
}

import type { Git } from "./git.js";

/** Whether a clone may lack objects that its remote has promised to send when they are asked for. */
export async function isPartialClone(git: Git): Promise<boolean> {
  const promisors = await git.run(
    [
      "config",
      "--get-regexp",
      String.raw`^(extensions\.partialclone|remote\..*\.promisor)$`,
    ],
    { answers: [0, 1] },
  );
  return promisors.exitCode === 0;
}

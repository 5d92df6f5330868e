import type { Git, RefUpdate } from "@skein/git";

/**
 * Returns the updates of a landing that have been made. Git renames the refs of a transaction one by one, so a kill can
 * leave only some of them made.
 */
export async function refsMade(
  git: Git,
  updates: readonly RefUpdate[],
): Promise<readonly RefUpdate[]> {
  const { stdout } = await git.run(
    ["cat-file", "--batch-check=%(objectname)"],
    { input: updates.map(({ ref }) => `${ref}\n`).join("") },
  );
  const answers = stdout.toString().split("\n");
  return updates.filter((update, at) => {
    const answer = answers[at] ?? "";
    const now = answer.endsWith(" missing") ? undefined : answer;
    return update.old !== update.new && now === update.new;
  });
}

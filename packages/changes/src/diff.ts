import { DIFF_RAW_ARGS, parseDiffRaw, withoutIndex } from "@skein/git";
import type { DiffEntry, Repository } from "@skein/git";
import type { Change } from "./changeset.js";
import type { EarlyAnswers } from "./begin.js";

/**
 * Lists the differences between two commits, by their ids.
 * @param early its reader is used; without it, a process is started
 */
export async function readDiff(
  repository: Repository,
  from: string,
  to: string,
  early?: EarlyAnswers,
): Promise<Change[]> {
  if (from === to) return [];
  const entries = early
    ? await early.diffs.read(from, to)
    : await ask(repository, from, to);
  return entries.map((entry) => ({ ...entry, origin: "committed" as const }));
}

async function ask(
  { git, gitDir }: Repository,
  from: string,
  to: string,
): Promise<DiffEntry[]> {
  const { stdout } = await git.run([...DIFF_RAW_ARGS, from, to], {
    env: withoutIndex(gitDir),
  });
  return parseDiffRaw(stdout);
}

import { resolve } from "node:path";
import { fetchBlobsOf, GitError, openRepository } from "@skein/git";
import { printable } from "@skein/reporting";
import type { PlanOverrides } from "../../command.js";
import { fetchedTip, fetchTip, readBranch } from "../../history/branch.js";
import { dayOfFile } from "../../history/days.js";
import { malformedWords, type HistoryEvent } from "../../history/event.js";
import { readHistoryFiles } from "../../history/read-files.js";
import { withToken } from "../../history/token.js";
import {
  dayOfTraces,
  readTraces,
  type TraceRun,
} from "../../history/traces.js";
import type { DispatchWorld } from "../../world.js";
import { DIGESTS_FILE, digestsIn } from "./trusted-index.js";

/** The records of earlier runs of the main branch. */
export interface KnownHistory {
  readonly history: readonly HistoryEvent[];
  /** The digests of indexes of references that the default branch has recorded. */
  readonly trusted: readonly string[];
  /** Recordings, the oldest first; undefined if the branch isn't read, or if evidence isn't used. */
  readonly traces: readonly TraceRun[] | undefined;
}

/**
 * Reads the events of the files and of the branch. An unreadable branch makes the plan less precise, but never
 * impossible.
 * @param needsTraces whether evidence is used
 */
export async function readHistory(
  world: DispatchWorld,
  { history, fetchHistory }: PlanOverrides,
  needsTraces: boolean,
): Promise<KnownHistory> {
  const { cwd, stderr } = world;
  const read = await readHistoryFiles(
    history.map((file) => resolve(cwd, file)),
  );
  if (read.malformed > 0)
    stderr.write(
      `warning: ${malformedWords(read.malformed, " of the history")}\n`,
    );
  if (fetchHistory === undefined)
    return { history: read.events, trusted: [], traces: undefined };
  const { git } = await openRepository({ ...world, env: withToken(world.env) });
  const branch = { remote: fetchHistory, ref: "refs/heads/ci-history" };
  const tip = await fetchTip(git, branch).catch(async (error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    const known = await fetchedTip(git, branch);
    stderr.write(
      `warning: the history of ${printable(fetchHistory)} cannot be read, so ${known.commit === undefined ? "durations are estimates" : "its last fetch is used"}: ${printable(error.stderr.trim())}\n`,
    );
    return known;
  });
  // Otherwise git would request each day separately. If the remote refuses, git reports why for the first day.
  if (tip.commit !== undefined)
    await fetchBlobsOf(
      git,
      tip.commit,
      (path) =>
        dayOfFile(path) !== undefined ||
        path === DIGESTS_FILE ||
        (needsTraces && dayOfTraces(path) !== undefined),
    );
  const { events, malformed, broken } = await readBranch(git, tip);
  for (const name of broken)
    stderr.write(
      `warning: ${printable(name)} of the history is broken, and is skipped\n`,
    );
  if (malformed > 0)
    stderr.write(`warning: ${malformedWords(malformed, " of the history")}\n`);
  return {
    history: [...read.events, ...events],
    trusted: await digestsIn(git, tip),
    traces: needsTraces ? await readTraces(git, tip) : undefined,
  };
}

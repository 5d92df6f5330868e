import { parseLsTree, type Git } from "@skein/git";
import type { CommitMap } from "../history/commit-map.js";
import type { MigrationRecord } from "../record.js";
import { placedPath } from "../survey/tip.js";

/** A file that does not read as at home. */
export interface SampleDifference {
  readonly path: string;
  readonly what: "log" | "blame";
}

/** Files that are looked at: enough to notice a wrong map, few enough to take a second. */
const SAMPLES = 10;

/** Compares `git log` and `git blame` of files, spread over the tree, with the source's, id by id through the map. */
export async function compareSamples(
  git: Git,
  record: MigrationRecord,
  map: CommitMap,
): Promise<{ compared: number; differences: readonly SampleDifference[] }> {
  const { stdout } = await git.run([
    "ls-tree",
    "-r",
    "-z",
    "--full-tree",
    record.tip.old,
  ]);
  const files = parseLsTree(stdout)
    .filter(({ mode }) => mode.startsWith("100"))
    .flatMap(({ path }) => {
      const to = record.placements
        .map((placement) => placedPath(placement, path))
        .find((found) => found !== undefined);
      return to === undefined ? [] : [{ from: path, to }];
    });
  const every = Math.max(1, Math.floor(files.length / SAMPLES));
  const chosen = files
    .filter((_, index) => index % every === 0)
    .slice(0, SAMPLES);
  const differences: SampleDifference[] = [];
  for (const { from, to } of chosen) {
    const [logThere, logHere, blameThere, blameHere] = await Promise.all([
      log(git, record.tip.old, from),
      log(git, record.tip.new, to),
      blame(git, record.tip.old, from),
      blame(git, record.tip.new, to),
    ]);
    const mapped = (ids: readonly string[]) =>
      ids.map((id) => map.get(id) ?? "").join();
    if (mapped(logThere) !== logHere.join())
      differences.push({ path: to, what: "log" });
    if (mapped(blameThere) !== blameHere.join())
      differences.push({ path: to, what: "blame" });
  }
  return { compared: chosen.length, differences };
}

async function log(
  git: Git,
  commit: string,
  path: string,
): Promise<readonly string[]> {
  const { stdout } = await git.run([
    "rev-list",
    "--end-of-options",
    commit,
    "--",
    path,
  ]);
  return stdout
    .toString("latin1")
    .split("\n")
    .filter((id) => id !== "");
}

async function blame(
  git: Git,
  commit: string,
  path: string,
): Promise<readonly string[]> {
  const { stdout } = await git.run([
    "blame",
    "--porcelain",
    commit,
    "--",
    path,
  ]);
  return stdout
    .toString("latin1")
    .split("\n")
    .flatMap((line) => /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1] ?? []);
}

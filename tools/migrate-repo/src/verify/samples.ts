import { commitTree, openObjects, type Git } from "@skein/git";
import type { CommitMap } from "../history/commit-map.js";
import type { MigrationRecord } from "../record/record-format.js";
import { placedPath } from "../survey/tip.js";

/** A file whose log or blame differs from the source's. */
export interface SampleDifference {
  readonly path: string;
  readonly what: "log" | "blame";
}

/** The number of sampled files: enough to notice a wrong map, and few enough to take only a second. */
const SAMPLES = 10;

/**
 * Compares `git log` and `git blame` of files, spread over the tree, with those of the source. It maps the ids one by
 * one.
 */
export async function compareSamples(
  git: Git,
  record: MigrationRecord,
  map: CommitMap,
): Promise<{ compared: number; differences: readonly SampleDifference[] }> {
  using objects = openObjects(git);
  const files = (await commitTree(git, objects, record.tip.old).list())
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
    const mapped = (id: string) => map.get(id) ?? "";
    if (logThere.map(mapped).join() !== logHere.join())
      differences.push({ path: to, what: "log" });
    // Blame follows a file to its earlier paths. Lines from paths that weren't migrated can't be compared.
    const cameAlong = (line: BlamedLine) =>
      record.placements.some((one) => placedPath(one, line.path) !== undefined);
    if (
      blameThere.length !== blameHere.length ||
      blameThere.some(
        (line, index) =>
          cameAlong(line) && mapped(line.id) !== blameHere[index]?.id,
      )
    )
      differences.push({ path: to, what: "blame" });
  }
  return { compared: chosen.length, differences };
}

async function log(
  git: Git,
  commit: string,
  path: string,
): Promise<readonly string[]> {
  const args = ["rev-list", "--end-of-options", commit, "--", path];
  const { stdout } = await git.run(args);
  return stdout.toString("latin1").split("\n").filter(Boolean);
}

interface BlamedLine {
  readonly id: string;
  /** The file's path in that commit. */
  readonly path: string;
}

async function blame(
  git: Git,
  commit: string,
  path: string,
): Promise<readonly BlamedLine[]> {
  const { stdout } = await git.run([
    ...["-c", "core.quotePath=false"],
    ...["blame", "--porcelain", commit, "--", path],
  ]);
  // The porcelain format has a commit's path only at the commit's first line. The text of each line comes last, after a
  // tab.
  const names = new Map<string, string>();
  const lines: BlamedLine[] = [];
  let id = "";
  for (const line of stdout.toString("utf8").split("\n")) {
    const name = /^filename (.+)$/.exec(line)?.[1];
    if (name !== undefined) names.set(id, name);
    else if (line.startsWith("\t"))
      lines.push({ id, path: names.get(id) ?? path });
    else id = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1] ?? id;
  }
  return lines;
}

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { addTo } from "@skein/reporting/group-by";
import type { Unit, UnitId } from "@skein/runner";
import { diskFiles } from "../files/files.js";
import type { LocalSurvey } from "../survey.js";
import { wholeGraph } from "../project/whole-graph.js";

/**
 * Finds units that may have read a file that was written after a given time, even if its content is the same again.
 * Formatters, `git checkout` and `git stash` do that, and no fingerprint shows it.
 * @param since by the clock of the file system, in milliseconds
 * @param treeNow reads the working tree; called only if a file was written
 * @returns by unit, a written file: of its package, of one that the package depends on, or of none
 */
export async function touchedConcerns(
  { root, repository }: Pick<LocalSurvey, "root" | "repository">,
  units: readonly Unit[],
  {
    since,
    treeNow,
  }: {
    readonly since: number;
    readonly treeNow: () => Promise<LocalSurvey>;
  },
): Promise<ReadonlyMap<UnitId, string>> {
  const paths = await diskFiles(root, () => Promise.resolve(repository)).list();
  const isTouched = (path: string) =>
    (lstatSync(join(root, path), { throwIfNoEntry: false })?.ctimeMs ?? 0) >
    since;
  const touched = [...new Set(paths)].filter(isTouched);
  if (touched.length === 0) return new Map();
  const concernsOf = openConcerns(await treeNow());
  return new Map(
    units.flatMap(({ id, workspace }) => {
      const found = touched.find(concernsOf(workspace));
      return found === undefined ? [] : [[id, found] as const];
    }),
  );
}

/**
 * Returns a function that checks whether a package may read a file: one of its own, of a package that it depends on, or of no
 * package.
 */
export function openConcerns(
  facts: LocalSurvey,
): (name: string) => (path: string) => boolean {
  const dirs = new Map(
    facts.head.packages
      .filter(({ dir }) => dir !== ".")
      .map(({ dir, name }) => [dir, name] as const),
  );
  const dependencies = new Map<string, string[]>();
  for (const { from, to } of wholeGraph(facts).edges)
    addTo(dependencies, from, to);
  return (name) => {
    const closure = reachable(name, dependencies);
    return (path) => {
      const owner = ownerOf(path, dirs);
      return owner === undefined || closure.has(owner);
    };
  };
}

/** Returns the package with the nearest folder above a path; undefined if only the root contains it. */
function ownerOf(
  path: string,
  dirs: ReadonlyMap<string, string>,
): string | undefined {
  for (
    let end = path.lastIndexOf("/");
    end > 0;
    end = path.lastIndexOf("/", end - 1)
  ) {
    const owner = dirs.get(path.slice(0, end));
    if (owner !== undefined) return owner;
  }
  return undefined;
}

function reachable(
  start: string,
  next: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const name of seen) for (const to of next.get(name) ?? []) seen.add(to);
  return seen;
}

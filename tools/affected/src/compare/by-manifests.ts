import type { Change } from "@skein/changes";
import { addTo } from "@skein/reporting/group-by";
import { compareLockfiles, type Project } from "@skein/workspaces";

/** The input of the yardstick. */
export interface ManifestFacts {
  /** Undefined if the project did not exist yet. */
  readonly base: Project | undefined;
  readonly head: Project;
  /** Paths are relative to the project's root. */
  readonly changes: readonly Change[];
}

/** Matches documentation by name: by extension in any folder, or by the file's name. */
const PAGE =
  /\.(?:md|mdx|markdown|rst|adoc)$|(?:^|\/)(?:LICENSE|LICENCE|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CODEOWNERS)[^/]*$/;

/** Matches tests by name or folder, relative to the package's folder. */
const TEST =
  /\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|__snapshots__)\//;

/**
 * Selects packages by manifests and yarn.lock only. This is a yardstick for the selection of `affected`, not the truth:
 * it reads no sources and no settings, so it finds no undeclared dependencies.
 *
 * - A changed file affects the deepest package that contains it, at base and at head, and that package's dependents by
 *   all four dependency fields, at base and at head.
 * - Documentation affects nothing. A test affects only its own package.
 * - A package whose reachable part of yarn.lock differs is affected, with its dependents.
 * - Files of the root, and its dependencies, affect nothing.
 * @returns the sorted names of packages at head, without the root
 */
export function selectByManifests({
  base,
  head,
  changes,
}: ManifestFacts): readonly string[] {
  const direct = new Set<string>();
  const tested = new Set<string>();
  for (const { path, kind } of changes) {
    for (const project of [
      kind === "added" ? undefined : base,
      kind === "deleted" ? undefined : head,
    ]) {
      if (!project || path.startsWith("../")) continue;
      const { dir } = project.graph.ownerOf(path);
      if (dir === ".") continue;
      const inside = path.slice(dir.length + 1);
      if (PAGE.test(path) || inside.startsWith("docs/")) continue;
      (TEST.test(inside) ? tested : direct).add(dir);
    }
  }
  if (!base) for (const { dir } of head.packages) direct.add(dir);
  for (const name of lockChanges(base, head)) {
    const dir = head.graph.workspaces.get(name)?.dir;
    if (dir !== undefined && dir !== ".") direct.add(dir);
  }
  const selected = withDependents(direct, base ? [base, head] : [head]);
  return head.packages
    .filter(({ dir }) => dir !== "." && (selected.has(dir) || tested.has(dir)))
    .map(({ name }) => name)
    .toSorted();
}

function lockChanges(base: Project | undefined, head: Project) {
  return base?.lock && head.lock
    ? compareLockfiles(base.lock, head.lock, head.packages).workspaces.keys()
    : [];
}

/**
 * Returns the folders with those of all dependents. Folders identify packages, so a package that was renamed without
 * moving is the same one.
 */
function withDependents(
  dirs: Iterable<string>,
  projects: readonly Project[],
): ReadonlySet<string> {
  const dependents = new Map<string, string[]>();
  for (const { graph, packages } of projects) {
    const dirOf = (name: string) => graph.workspaces.get(name)?.dir ?? ".";
    const declared = new Set(
      packages.flatMap(({ name, dependencies }) =>
        dependencies.map(({ ident, range }) => `${name} ${ident}@${range}`),
      ),
    );
    for (const { from, to, evidence } of graph.edges) {
      // The other edges come from skein.json, or lead through external packages that depend on a workspace.
      if (!declared.has(`${from} ${evidence}`)) continue;
      addTo(dependents, dirOf(to), dirOf(from));
    }
  }
  // A loop over a set also visits elements that are added during the loop.
  const reached = new Set(dirs);
  for (const dir of reached)
    for (const dependent of dependents.get(dir) ?? []) reached.add(dependent);
  return reached;
}

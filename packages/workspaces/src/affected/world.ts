import { remember } from "@skein/reporting/group-by";
import type { WorkspaceGraph } from "../graph.js";
import { withPeersOfRoot } from "../lockfile/root-peers.js";
import type { LockState, PackageFacts, Project } from "../project.js";
import type { AffectedInput, References, User } from "./input.js";
import { openFoldersAbove, openLookups } from "./programs/lookups.js";
import type { Lookups, Reader } from "./programs/lookups.js";
import { CONCERNS_EVERY_SCRIPT } from "./root/root-manifest.js";
import { openUnits, type Units } from "./programs/units.js";

/** The facts that the rules of one decision share. */
export interface DecisionWorld {
  readonly input: AffectedInput;
  readonly units: Units;
  readonly above: () => ReadonlySet<string>;
  readonly lookups: Lookups;
  /** Returns the references to a file. Many changed files have the same files on their way, so it is asked once. */
  readonly usersOf: (file: string) => readonly User[];
}

/** Opens the rules for files, fields and external packages; selection and fingerprints use the same ones. */
export function openWorld(input: AffectedInput): DecisionWorld {
  const units = openUnitsOf(input);
  const above = openFoldersAbove(input);
  const lookups = openLookups(input.head, units, above);
  const { references } = input;
  const usersOf = remember((file: string) => references?.usersOf(file) ?? []);
  return { input, units, above, lookups, usersOf };
}

/** Opens the units of a project as its references show them. */
export function openUnitsOf({
  head,
  references,
  script,
  pipeline,
}: Pick<AffectedInput, "head" | "script" | "pipeline"> & {
  readonly references: Omit<References, "edges"> | undefined;
}): Units {
  // Each unit asks about the same packages, and a large project has thousands of references to one.
  const users = new Map<string, ReadonlySet<string>>();
  const usersOf = (external: string) => {
    const known =
      users.get(external) ??
      new Set(
        references
          ?.referencesToExternal(external)
          .map(({ workspace }) => workspace) ?? [],
      );
    users.set(external, known);
    return known;
  };
  let byName: ReadonlyMap<string, PackageFacts> | undefined;
  const packageOf = (name: string) => {
    byName ??= new Map(head.packages.map((facts) => [facts.name, facts]));
    return byName.get(name);
  };
  return openUnits({
    packages: head.packages,
    packageOf,
    root: head.graph.root,
    scriptsOf: (name) =>
      references
        ? (references.scriptsOf(name) ?? {})
        : packageOf(name)?.manifest?.scripts,
    ownerOfBin: (program) => references?.ownerOfBin(program),
    names: (workspace, external) =>
      workspace === undefined
        ? usersOf(external).size > 0
        : usersOf(external).has(workspace),
    languageUsersOf: (programs, endings) =>
      references?.languageUsersOf(programs, endings),
    namersOf: (externals) => references?.namersOf(externals),
    isClosed: (path) => references?.isClosed(path) === true,
    shellOf: (path) => references?.shellOf(path),
    hasFile: (path) => references?.hasFile(path) === true,
    callersOf: (called) => references?.callersOf(called) ?? new Set(),
    script,
    pipeline,
  });
}

/** Returns the packages that a field of the root's package.json concerns, by its readers. */
export function readersOfField(
  field: string,
  { input, lookups }: DecisionWorld,
): "everyone" | readonly Reader[] {
  return CONCERNS_EVERY_SCRIPT.has(field) || !input.references
    ? "everyone"
    : lookups.readersOfField(field);
}

/** Returns the packages that the root's own dependencies concern: the root, the packages that use one, or all. */
export function usersOfRootDependencies({
  settings,
  references,
}: AffectedInput): "root" | "used" | "everything" {
  if (settings.rootDependencies === "used" && !references) return "everything";
  return settings.rootDependencies;
}

/** Returns a project's lockfile, in which external packages depend on peers that the root provides if packages can use these. */
export function withRootPeers(
  lock: LockState,
  { root }: Project,
  input: AffectedInput,
): LockState {
  return usersOfRootDependencies(input) === "used"
    ? withPeersOfRoot(lock, root.dependencies)
    : lock;
}

/**
 * Returns the package whose folder contains another package; undefined if that is the root. If a package is added or removed
 * in it, files of the outer package change their owner, or are read with another package.json, although they didn't change.
 */
export function packageAround(
  dir: string,
  graph: WorkspaceGraph,
): PackageFacts["name"] | undefined {
  const slash = dir.lastIndexOf("/");
  if (slash < 0) return undefined;
  const outer = graph.ownerOf(dir.slice(0, slash));
  return outer.dir === "." ? undefined : outer.name;
}

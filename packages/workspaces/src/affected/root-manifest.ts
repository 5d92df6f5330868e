import type { LockChange } from "../lockfile/compare.js";
import type { Manifest } from "../manifest/manifest.js";

/**
 * Fields of the root's package.json that concern the root alone, or that are compared by their meaning elsewhere
 * (`workspaces` by the graph, `resolutions` by what they make of yarn.lock).
 */
const OWN_FIELDS = new Set([
  "name",
  "version",
  "description",
  "keywords",
  "license",
  "author",
  "contributors",
  "maintainers",
  "homepage",
  "repository",
  "bugs",
  "funding",
  "private",
  "files",
  "main",
  "module",
  "types",
  "bin",
  "publishConfig",
  "rationale",
  "scripts",
  "lint-staged",
  "husky",
  "release",
  "commitlint",
  "workspaces",
  "resolutions",
  "imports",
  "exports",
  "sideEffects",
  "pnpm",
  "overrides",
]);

/** Fields of the root's package.json that may change what every script does: the environment of all of them. */
export const CONCERNS_EVERYBODY: ReadonlySet<string> = new Set([
  "packageManager",
  "engines",
  "devEngines",
  "volta",
  "type",
  "dependenciesMeta",
  "peerDependenciesMeta",
  "installConfig",
]);

/** The root's own dependencies: what they do is a policy (`rootDependencies` in skein.json). */
const DEPENDENCY_FIELDS = new Set([
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
]);

/** How two root manifests differ, as far as it may concern other packages. */
export interface RootManifestChange {
  /** Names of the fields that differ and do not concern the root alone. */
  readonly fields: readonly string[];
  /** Whether a field of dependencies differs. */
  readonly dependencies: boolean;
}

/** Compares two root manifests field by field; the order of keys and the layout are no difference. */
export function compareRootManifests(
  base: Manifest,
  head: Manifest,
): RootManifestChange {
  const fields = [
    ...new Set([...Object.keys(base.fields), ...Object.keys(head.fields)]),
  ];
  const changed = fields.filter(
    (field) => canonical(base.fields[field]) !== canonical(head.fields[field]),
  );
  return {
    fields: changed.filter((field) => kindOfField(field) === "compared"),
    dependencies: changed.some(
      (field) => kindOfField(field) === "dependencies",
    ),
  };
}

/** Returns what a field of the root's package.json is for: the root alone, its dependencies, or perhaps other packages. */
export function kindOfField(
  field: string,
): "own" | "dependencies" | "compared" {
  if (OWN_FIELDS.has(field)) return "own";
  return DEPENDENCY_FIELDS.has(field) ? "dependencies" : "compared";
}

/**
 * The root's own dependencies whose range differs between two manifests: what yarn.lock does not say where it was not
 * brought up to date, or is no lockfile of Yarn 2 or later.
 */
export function changedRanges(
  base: Manifest,
  head: Manifest,
): ReadonlyMap<string, LockChange> {
  const [was, is] = [rangesIn(base), rangesIn(head)];
  const changes = new Map<string, LockChange>();
  for (const ident of new Set([...was.keys(), ...is.keys()])) {
    const [before, after] = [was.get(ident), is.get(ident)];
    if (before !== after)
      changes.set(ident, {
        before: before === undefined ? [] : [`${ident}@${before}`],
        after: after === undefined ? "nothing" : `${ident}@${after}`,
      });
  }
  return changes;
}

/** Returns the range of each dependency of a manifest. */
export function rangesIn({
  dependencies,
}: Manifest): ReadonlyMap<string, string> {
  return new Map(dependencies.map(({ ident, range }) => [ident, range]));
}

/** Returns JSON with its keys in order: moving a line is no change. A field that is missing is another than any that is there. */
export function canonical(value: unknown): string {
  return JSON.stringify(
    [value === undefined ? [] : [value]],
    (_, member: unknown) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        ? Object.fromEntries(
            Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)),
          )
        : member,
  );
}

import { canonicalJson } from "@skein/reporting/canonical-json";
import type { LockChange } from "../../lockfile/compare.js";
import { DEPENDENCY_FIELDS, type Manifest } from "../../manifest/manifest.js";

/**
 * Fields of the root's package.json that concern only the root, or whose meaning is compared elsewhere (`workspaces` by the
 * graph, `resolutions` by their effect on yarn.lock).
 */
const OWN_FIELDS = new Set(
  `name version description keywords license author contributors maintainers homepage repository
  bugs funding private files main module types bin publishConfig rationale scripts lint-staged
  husky release commitlint workspaces resolutions exports sideEffects
  pnpm overrides`.split(/\s+/),
);

/** Fields of the root's package.json that may change the environment of all scripts, or what files of the root load. */
export const CONCERNS_EVERY_SCRIPT: ReadonlySet<string> = new Set(
  `packageManager engines devEngines volta type imports dependenciesMeta peerDependenciesMeta
  installConfig`.split(/\s+/),
);

/** The differences between two root manifests that may concern other packages. */
export interface RootManifestChange {
  /** Names of the fields that differ and don't concern only the root. */
  readonly fields: readonly string[];
  /** Whether a field of dependencies differs. */
  readonly dependencies: boolean;
}

/** Compares two root manifests field by field; the order of keys and the layout don't count. */
export function compareRootManifests(
  base: Manifest,
  head: Manifest,
): RootManifestChange {
  const fields = [
    ...new Set([...Object.keys(base.fields), ...Object.keys(head.fields)]),
  ];
  const changed = fields.filter(
    (field) => meaningOfField(base, field) !== meaningOfField(head, field),
  );
  return {
    fields: changed.filter((field) => kindOfField(field) === "compared"),
    dependencies: changed.some(
      (field) => kindOfField(field) === "dependencies",
    ),
  };
}

/**
 * Returns what a field of a manifest means, in a form that can be compared. The hash of a package manager
 * (`yarn@4.10.3+sha224.953c8233`) means nothing: Corepack refuses a program with another one.
 */
export function meaningOfField({ fields }: Manifest, field: string): string {
  const value = fields[field];
  return canonical(
    field === "packageManager" && typeof value === "string"
      ? value.replace(/\+.*$/, "")
      : value,
  );
}

/** Fields with which packages that depend on the root, or import it, find its modules. */
const ENTRY_FIELDS =
  `main module types typings browser react-native source bin exports imports sideEffects`.split(
    " ",
  );

/** Returns the entry points of the root, which matter to packages that use it as a package. */
export function entryPointsOf({ fields }: Manifest): string {
  return canonical(ENTRY_FIELDS.map((field) => fields[field] ?? null));
}

/** Returns whom a field of the root's package.json concerns: only the root, its dependencies, or perhaps other packages. */
export function kindOfField(
  field: string,
): "own" | "dependencies" | "compared" {
  if (OWN_FIELDS.has(field)) return "own";
  const isOfDependencies = DEPENDENCY_FIELDS.some((each) => each === field);
  return isOfDependencies ? "dependencies" : "compared";
}

/**
 * Returns the root's own dependencies whose range differs between two manifests. They are needed if yarn.lock is out of date,
 * or isn't a lockfile of Yarn 2 or later.
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

/**
 * Returns JSON with sorted keys, so that moving a line isn't a change. A missing field differs from any field that exists.
 */
export function canonical(value: unknown): string {
  return canonicalJson([value === undefined ? [] : [value]]);
}

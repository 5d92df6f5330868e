import type { Crossing, ReferenceGraph } from "../graph.js";
import type { ReferenceKind } from "../reference.js";
import { MODULE_KINDS } from "../index/kinds.js";
import { dirOf, foldersAbove, keyOf } from "../resolve.js";
import { isData, isForAuthors, looksBundled } from "./file-roles.js";
import { groupByCause } from "./group.js";
import { declareDependency } from "./manifest-edit.js";
import { fieldsDeclaring, fieldsIn, isPackages } from "./manifest-fields.js";
import type { AuditProblem, ManifestFix, ManifestText } from "./problems.js";
import { rangeFor } from "./range-style.js";

export interface AuditInput {
  readonly graph: Pick<ReferenceGraph, "crossings">;
  /** The root workspace's name. All packages share what the root owns. */
  readonly root: string;
  /** Each workspace's manifest by its name. */
  readonly manifests: ReadonlyMap<string, ManifestText>;
  /** The manifests of folders that aren't workspaces, by folder: those above the files that refer to other packages. */
  readonly nested: ReadonlyMap<string, ManifestText>;
  /** Whether dependents don't use a file: it is a test, or the settings of a tool. */
  readonly isDevelopment: (file: string) => boolean;
  /** Whether a package bundles its dependencies into what it publishes. Its devDependencies then suffice. */
  readonly isBundled: (workspace: string) => boolean;
  /** Whether a reference imports types only, so that it doesn't exist at run time. */
  readonly isTypeOnly: (crossing: Crossing) => boolean;
  /** Every tracked path. They distinguish strings that are paths from strings that only look like paths. */
  readonly paths: readonly string[];
}

type Verdict = AuditProblem["kind"] | undefined;

/** Kinds that load a module. A path in such a reference should be a package's name. */
const LOADS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  ...MODULE_KINDS,
  "url",
  "style",
  "entry",
]);

/**
 * Finds the references in a project that no manifest shows: one problem for each cause, sorted by workspace, then by the
 * first place. It skips the root's own files, and settings that only the root owns (a root tsconfig that all packages
 * extend): `affected` follows those by file.
 */
export function audit(input: AuditInput): readonly AuditProblem[] {
  const { graph, root } = input;
  const exists = existing(input.paths);
  const found = graph.crossings().flatMap((crossing) => {
    if (crossing.from === root) return [];
    const kind = verdict(crossing, input, exists);
    if (kind === undefined) return [];
    const manifest = nearestOf(crossing, input)?.path ?? "";
    return [{ kind, crossing, manifest }];
  });
  const problems = groupByCause(found).map(
    ({ kind, to, others, places, own }) => {
      const base = {
        workspace: places[0]?.from ?? "",
        to,
        ...(others.length > 0 && { others }),
        places,
      };
      return kind === "undeclared-dependency" || kind === "only-dev-dependency"
        ? { kind, ...base, fix: fixOf(own, input) }
        : { kind, ...base };
    },
  );
  return problems.sort((a, b) =>
    a.workspace < b.workspace ? -1 : a.workspace > b.workspace ? 1 : 0,
  );
}

const UNDECLARED: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "name-string",
  "root-guess",
  "script-call",
  "task",
]);

function verdict(
  crossing: Crossing,
  input: AuditInput,
  exists: (path: string) => boolean,
): Verdict {
  const { root, manifests, isBundled, isTypeOnly } = input;
  const { kind, target, from, to, file, specifier } = crossing;
  const manifest = manifests.get(from);
  if (isData(pathIn(file, manifest))) return undefined;
  const declared = new Set([
    ...fieldsDeclaring(manifest, to),
    ...fieldsDeclaring(nearestNested(crossing, input), to),
  ]);
  if (kind === "symlink") return declared.size > 0 ? undefined : "symlink";
  // It may be an ordinary word, and a script of another package is called by its name: `affected` counts it, but it needs no
  // declaration it.
  if (UNDECLARED.has(kind)) return undefined;
  const isDev = isDevelopmentOf(crossing, input);
  // A program that has such a field in a table of its own names a package but doesn't load it.
  if (kind === "config" && !isDev && SCRIPT.test(file)) return undefined;
  if (target.kind === "package") {
    if (to === root) return undefined;
    if (declared.size === 0) return "undeclared-dependency";
    const isNeeded = LOADS.has(kind) && kind !== "mock" && !isDev;
    const onlyDev = declared.size === 1 && declared.has("devDependencies");
    return onlyDev &&
      isNeeded &&
      !isPrivate(manifest) &&
      !isBundled(from) &&
      !looksBundled(fieldsIn(manifest)) &&
      !isTypeOnly(crossing)
      ? "only-dev-dependency"
      : undefined;
  }
  // `baseUrl` of a tsconfig may lead the name of any package to a folder, where it usually doesn't exist.
  if (!specifier.startsWith(".") && !exists(target.path)) return undefined;
  if (LOADS.has(kind)) {
    // A file that the root owns can't be imported by a package's name. It is a problem only in code that is published.
    if (to === root && (isDev || isPrivate(manifest) || isTypeOnly(crossing)))
      return undefined;
    // An alias that points into a declared package is another way to write its name; if it is the name, the name declares it.
    const isAlias = !specifier.startsWith(".") && declared.size > 0;
    const isName = `${specifier}/`.startsWith(`${to}/`);
    return isAlias || isName ? undefined : "path-import";
  }
  if (to === root || declared.size > 0) return undefined;
  // A package shares its settings with the packages in its folder, as the root does with all.
  if (isInside(manifest, manifests.get(to))) return undefined;
  if (PATHS.has(kind)) return exists(target.path) ? "path-string" : undefined;
  return "settings";
}

/** Strings in sources that are paths, or the beginnings of paths. */
const PATHS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "path-string",
  "root-path",
  "cwd-path",
  "glob",
  "argument-path",
]);

const SCRIPT = /\.[cm]?[jt]sx?$/;

function isDevelopmentOf(
  { file, from }: Crossing,
  { isDevelopment, manifests }: AuditInput,
): boolean {
  const manifest = manifests.get(from);
  return (
    isDevelopment(file) ||
    isForAuthors(pathIn(file, manifest), fieldsIn(manifest))
  );
}

/** Returns whether a package's folder is in another package's. */
function isInside(
  inner: ManifestText | undefined,
  outer: ManifestText | undefined,
): boolean {
  const above = foldersAbove(inner?.path ?? "");
  return outer !== undefined && above.slice(1).includes(dirOf(outer.path));
}

/** Returns a file's path from the folder of its package. */
function pathIn(file: string, manifest: ManifestText | undefined): string {
  const dir = dirOf(manifest?.path ?? "package.json");
  return dir === "" ? file : file.slice(dir.length + 1);
}

/** Returns the manifest of a package that isn't a workspace, and that is between a file and its workspace's manifest. */
function nearestNested(
  { file, from }: Crossing,
  { manifests, nested }: AuditInput,
): ManifestText | undefined {
  const top = dirOf(manifests.get(from)?.path ?? "");
  for (const dir of foldersAbove(file)) {
    if (dir.length <= top.length) return undefined;
    const manifest = nested.get(dir);
    if (manifest && isPackages(manifest)) return manifest;
  }
  return undefined;
}

/** Returns the nearest manifest above a file. */
function nearestOf(
  crossing: Crossing,
  input: AuditInput,
): ManifestText | undefined {
  return nearestNested(crossing, input) ?? input.manifests.get(crossing.from);
}

function fixOf(places: readonly Crossing[], input: AuditInput): ManifestFix {
  const { manifests, isTypeOnly } = input;
  const [first] = places;
  const { to = "" } = first ?? {};
  // All places of a cause have the same one.
  const manifest = first && nearestOf(first, input);
  const field = places.every(
    (place) => isDevelopmentOf(place, input) || isTypeOnly(place),
  )
    ? "devDependencies"
    : "dependencies";
  const range = rangeFor(to, field, manifest, manifests);
  return {
    path: manifest?.path ?? "",
    line: manifest
      ? declareDependency(manifest.text, field, to, range).line
      : 1,
    field,
    name: to,
    range,
  };
}

function isPrivate(manifest: ManifestText | undefined): boolean {
  return fieldsIn(manifest)["private"] === true;
}

/** Returns a test for whether a key means any of these paths or a folder above one. The set is made at the first question. */
function existing(paths: readonly string[]): (key: string) => boolean {
  let known: Set<string> | undefined;
  return (key) => {
    if (!known) {
      known = new Set();
      for (const path of paths)
        for (const one of [path, keyOf(path), ...foldersAbove(path)])
          known.add(one);
    }
    return known.has(key);
  };
}

import { remember } from "@skein/reporting/group-by";
import type { FoundReference } from "../../graph.js";
import type { ReferenceKind } from "../../reference.js";
import { fileKind } from "../../scan/file-kinds.js";
import type { Match } from "../targets/match.js";

/**
 * Finds the rows that may mean a file by its path or by its package's name.
 * @param only rows of this kind
 */
type Named = (path: string, only?: ReferenceKind) => readonly Match[];

/** Kinds, besides `extends`, with which a program that is settings includes another file's settings. */
const LOADS_SETTINGS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "import",
  "export",
  "require",
  "config",
]);
/** Kinds with which a script passes settings to a program (`jest -c ../../jest.config.js --rootDir .`). */
const PASSES_SETTINGS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "script",
  "test-script",
]);

/** Returns the files whose settings extend those in a file. */
export function settingsOver(file: string, named: Named): readonly string[] {
  const loaders = isProgramOfSettings(file) ? named(file) : [];
  const isTsconfig = fileKind(file, "100644") === "tsconfig";
  return [
    ...named(file, "extends"),
    ...loaders.filter(
      (loader) =>
        loadsSettings(loader) && isProgramOfSettings(loader.reference.file),
    ),
  ].flatMap(({ reference }) =>
    isTsconfig && IS_OTHER.test(fileKind(reference.file, "100644") ?? "")
      ? []
      : reference.file,
  );
}

/**
 * Kinds of settings that don't extend a tsconfig: `extends: "plugin:acme/strict"` of ESLint names a package, and not the tsconfig
 * in it.
 */
const IS_OTHER = /^(?:tool|settings)\b/;

/**
 * Opens the search for the workspaces, by their numbers, whose settings include those in a file, also through other files. Many
 * files may lead to the same ones, so what leads to a file is found once.
 */
export function openUsersOfSettings(
  named: Named,
): (file: string) => ReadonlySet<number> {
  const includingFile = remember((file: string) => including(file, named));
  return (file) => usersOf(file, includingFile);
}

/** Returns the references with which settings include those in a file. A symlink to it is a copy in another folder. */
function including(file: string, named: Named): readonly Match[] {
  return [
    ...named(file, "extends"),
    ...named(file, "symlink"),
    ...named(file).filter(
      (match) =>
        loadsSettings(match) ||
        PASSES_SETTINGS.has(match.layer.kind(match.row)),
    ),
  ];
}

function usersOf(
  file: string,
  includingFile: (file: string) => readonly Match[],
): ReadonlySet<number> {
  const users = new Set<number>();
  const files = new Set([file]);
  for (const each of files)
    for (const { layer, row, reference } of includingFile(each)) {
      const from = layer.from(row);
      if (from >= 0) users.add(from);
      if (!PASSES_SETTINGS.has(reference.kind)) files.add(reference.file);
    }
  return users;
}

/** Returns whether with a reference, a program that is settings certainly includes another one. */
export function includesSettings({ file, kind }: FoundReference): boolean {
  return LOADS_SETTINGS.has(kind) && isProgramOfSettings(file);
}

function loadsSettings({ layer, row, byFolder }: Match): boolean {
  return !byFolder && LOADS_SETTINGS.has(layer.kind(row));
}

function isProgramOfSettings(file: string): boolean {
  return fileKind(file, "100644")?.startsWith("settings.") === true;
}

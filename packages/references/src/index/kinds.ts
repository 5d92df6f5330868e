import type { ReferenceKind } from "../reference.js";

/** Properties of a kind of reference: how it relates to the files around its target. */
export interface KindTraits {
  /** If the target is a folder, everything in it may be meant, even if the specifier is complete. */
  readonly takesFolders: boolean;
  /** It loads or runs the file. A test file with such a reference is more than a test. */
  readonly loads: boolean;
  /** The purpose of the string is unknown: it counts only if its target has another owner. */
  readonly isGuess: boolean;
  /** It loads everything in a folder if only the beginning of the specifier is known. */
  readonly loadsFolders: boolean;
  /** If only the beginning is known, it means every package that may match. */
  readonly spreads: boolean;
}

/** Kinds with which a source names a module, which compilers resolve. */
export const MODULE_KINDS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "import",
  "export",
  "dynamic-import",
  "require",
  "type",
  "mock",
]);

const settings: KindTraits = {
  takesFolders: true,
  loads: true,
  isGuess: false,
  loadsFolders: false,
  spreads: false,
};
const module: KindTraits = {
  takesFolders: false,
  loads: true,
  isGuess: false,
  loadsFolders: true,
  spreads: true,
};
const named: KindTraits = { ...module, loadsFolders: false, spreads: false };
const selects: KindTraits = { ...settings, loads: false };

/** All kinds, so that a new kind doesn't compile without its traits. */
export const KIND_TRAITS: Readonly<Record<ReferenceKind, KindTraits>> = {
  import: module,
  export: module,
  "dynamic-import": module,
  require: module,
  type: named,
  mock: module,
  url: settings,
  "path-string": { ...settings, isGuess: true },
  symlink: { ...settings, loadsFolders: true, spreads: true },
  extends: settings,
  "tsconfig-reference": named,
  "tsconfig-include": { ...selects, spreads: true },
  "tsconfig-paths": selects,
  config: settings,
  entry: named,
  script: settings,
  "test-script": selects,
  style: named,
  dependency: { ...named, loads: false },
  glob: { ...named, spreads: true },
  "argument-path": module,
  "name-string": { ...named, spreads: true },
  "script-name": { ...named, loads: false },
  "script-call": { ...named, loads: false },
  "root-path": { ...settings, spreads: true },
  manifests: settings,
  "manifest-list": settings,
  "root-guess": { ...settings, isGuess: true, spreads: true },
  "linked-dependency": selects,
  "script-text": { ...named, loads: false },
  variable: { ...named, loads: false },
  program: { ...named, loads: false },
  exclusion: { ...named, loads: false },
  "near-guess": { ...named, loads: false, isGuess: true, spreads: false },
  "own-guess": { ...named, loads: false, isGuess: true, spreads: false },
  "cwd-path": { ...named, spreads: true },
  "editor-plugin": { ...named, loads: false },
  task: { ...named, loads: false, spreads: false },
  selection: { ...selects, isGuess: true, spreads: true },
  coverage: { ...named, loads: false, spreads: true },
};

/** Kinds that mean the manifests of all workspaces, and no other file of that name. */
export const OF_MANIFESTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "manifests",
  "manifest-list",
]);

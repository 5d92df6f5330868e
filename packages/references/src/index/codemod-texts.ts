import { addTo } from "@skein/reporting/group-by";
import { dirOf, foldersAbove, isWithin, keysOf } from "../resolve.js";
import {
  COMPARED_NAMES,
  STARTER,
  WRITTEN_NAMES,
  type ReferenceKind,
} from "../reference.js";
import { MODULE_KINDS } from "./kinds.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import { EXCLUSIONS } from "./table/table.js";

/** Words of which each such path has one. In most projects, no path has them. */
const WORDS = ["codemod", "__testfixtures__"];
/** A program in a folder of tests, or of their data, that belongs to a codemod. */
const OF_CODEMOD =
  /^(?=.*codemods?[\w.-]*\/|.*\/__testfixtures__\/).*\/(?:__testfixtures__|(?:__)?fixtures(?:__)?|tests?|__tests__)\/(?:[^/]+\/)*[^/]+\.[cm]?[jt]sx?$/;
/** A file in a folder of a codemod. */
const IN_CODEMOD = /(?:^|[/_.-])codemods?(?:[_.-][\w.-]*)?\//;
/** The word in the names of a pair: `x.input.js` and `x.output.js`, `input2.tsx` and `output2.tsx`. */
const ROLE =
  /(?<=(?:^|[._-]))(?:input|output)(?=\d*[._-])(?!.*[._-](?:input|output)\d*[._-])/;
/** Kinds with which a file, a script or settings load a module. */
const LOADS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  ...MODULE_KINDS,
  "config",
  "entry",
  "script",
  "test-script",
]);
const TSCONFIG = /(?:^|\/)[^/]*tsconfig[^/]*\.json$/;

/**
 * Notes the files that are only texts for a codemod, which reads and compares them: pairs of an input and an output in a folder of
 * tests. Their imports refer to nothing, unless something loads such a file as a module, or a tsconfig of the package doesn't
 * exclude it. In a program of a codemod that changes sources, and in a rule of ESLint, the names of packages in strings refer to
 * nothing.
 */
export function leaveOutCodemodTexts(
  layers: readonly Layer[],
  layout: Layout,
): void {
  const areAny = layers.some(({ table: { columns } }) =>
    WORDS.some((word) => columns.text.includes(word)),
  );
  const writersIn = openWriters(layers, layout);
  if (!areAny) {
    for (const layer of layers) layer.leaveOut([], writersIn(layer));
    return;
  }
  const tsconfigs = new Map<number, string[]>();
  const found = layers.map((layer) => {
    const texts: string[] = [];
    for (const path of layer.files()) {
      if (TSCONFIG.test(path)) addTo(tsconfigs, layout.ownerOf(path), path);
      if (OF_CODEMOD.test(path) && hasCounterpart(path, layers))
        texts.push(path);
    }
    return [layer, texts] as const;
  });
  const excludes = openExclusions(layers);
  const isText = (path: string) => {
    const compiling = (tsconfigs.get(layout.ownerOf(path)) ?? []).filter(
      (tsconfig) => isWithin(path, dirOf(tsconfig)),
    );
    return (
      compiling.length > 0 &&
      compiling.every((tsconfig) => excludes(tsconfig, path)) &&
      !isLoaded(path, layers)
    );
  };
  for (const [layer, texts] of found)
    layer.leaveOut(texts.filter(isText), writersIn(layer));
}

/**
 * Opens the rules and the programs of codemods that only compare or write the names in their strings. A rule may pass a name to
 * another file of its package, so no other file there may load a module whose name is computed, or start programs.
 */
function openWriters(
  layers: readonly Layer[],
  layout: Layout,
): (layer: Layer) => readonly string[] {
  let users: ReadonlySet<number> | undefined;
  const isUsed = (file: string) =>
    (users ??= usersOfNames(layers, layout)).has(layout.ownerOf(file));
  return (layer) => [
    ...filesWith(COMPARED_NAMES, layer).filter((file) => !isUsed(file)),
    ...filesWith(WRITTEN_NAMES, layer).filter((file) => IN_CODEMOD.test(file)),
  ];
}

/** Returns the files with this mark. */
function filesWith(mark: string, layer: Layer): readonly string[] {
  return Array.from(layer.rowsOfPackage(EXCLUSIONS))
    .filter((row) => layer.table.specifierOf(row) === mark)
    .map((row) => layer.file(row));
}

/** Returns the packages with a file, except rules, that loads a module whose name is computed, or that starts a program. */
function usersOfNames(
  layers: readonly Layer[],
  layout: Layout,
): ReadonlySet<number> {
  const isUse = (layer: Layer, row: number) =>
    layer.isOwnGuess(row)
      ? layer.table.specifierOf(row) === "./"
      : layer.kind(row) === "program" &&
        layer.table.specifierOf(row) === STARTER;
  return new Set(
    layers.flatMap((layer) => {
      const rules = new Set(filesWith(COMPARED_NAMES, layer));
      return [...layer.files()]
        .filter((file) => !rules.has(file))
        .filter((file) => layer.rowsIn(file).some((row) => isUse(layer, row)))
        .map((file) => layout.ownerOf(file));
    }),
  );
}

/** Returns whether git has the other file of a pair. */
function hasCounterpart(path: string, layers: readonly Layer[]): boolean {
  const name = path.slice(dirOf(path).length + 1);
  const other = name.replace(ROLE, (role) =>
    role === "input" ? "output" : "input",
  );
  const counterpart = `${dirOf(path)}/${other}`;
  return other !== name && layers.some((layer) => layer.hasFile(counterpart));
}

/** Returns whether something loads a file as a module. */
function isLoaded(path: string, layers: readonly Layer[]): boolean {
  return layers.some((layer) => {
    const loads = (row: number) =>
      LOADS.has(layer.kind(row)) && layer.file(row) !== path;
    return (
      keysOf(path).some((key) => layer.rowsOfPath(key).some(loads)) ||
      foldersAbove(path).some((folder) =>
        layer.rowsOfPath(folder).some((row) => {
          const [beginning] = layer.namesIn(row, folder);
          return (
            layer.isPartial(row) && loads(row) && path.startsWith(beginning)
          );
        }),
      )
    );
  });
}

/** Opens the search for tsconfigs that exclude a file themselves. */
function openExclusions(
  layers: readonly Layer[],
): (tsconfig: string, path: string) => boolean {
  const patterns = new Map<string, RegExp[]>();
  for (const layer of layers)
    for (const row of layer.rowsOfPackage(EXCLUSIONS)) {
      const pattern = patternOf(layer.table.specifierOf(row));
      if (pattern) addTo(patterns, layer.file(row), pattern);
    }
  return (tsconfig, path) => {
    const dir = dirOf(tsconfig);
    const own = dir === "" ? path : path.slice(dir.length + 1);
    return (patterns.get(tsconfig) ?? []).some((pattern) => pattern.test(own));
  };
}

/** Returns the expression of a tsconfig's pattern, which also matches everything in a folder; undefined for an unusual one. */
function patternOf(pattern: string): RegExp | undefined {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  if (!/^[\w@*?][\w@.*?/-]*$/.test(plain)) return undefined;
  const words = plain
    .replaceAll(".", String.raw`\.`)
    .replaceAll("?", "[^/]")
    .replaceAll(/\*\*\/?|\*/g, (stars) =>
      stars === "**/" ? "(?:.*/)?" : stars === "**" ? ".*" : "[^/]*",
    );
  return new RegExp(`^${words}(?:/.*)?$`);
}

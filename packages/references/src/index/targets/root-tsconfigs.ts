import { isOfCi } from "@skein/known-tools";
import { nameAndText, type ReferenceKind } from "../../reference.js";
import { unfinishedPart } from "../../resolve.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { SCRIPT_TEXTS } from "../table/table.js";
import type { CalledScripts } from "./called-scripts.js";
import type { Match } from "./match.js";

/** A tsconfig in the root that no program looks up by its name. Nx looks up `tsconfig.base.json`. */
const OTHER_TSCONFIG =
  /^(?!(?:ts|js)config(?:\.base)?\.json$)tsconfig[\w.-]*\.json$/;
/** Settings of TypeDoc, which it finds only in the folder in which it runs. */
const OF_TYPEDOC = /^(?:\.config\/)?typedoc(?:\.[\w-]+)*\.(?:jsonc?|[cm]?js)$/;
const GUESSES: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "root-guess",
  "near-guess",
  "own-guess",
]);
const PAGE = /\.(?:md|rst|adoc|txt)$/i;
/** A script that may run a program in the folder of the root. */
const MAY_LEAVE = /\.\.|[$%]|\s-T\b|--cwd|--prefix|--dir|-C\b/;

/** The parts of a project that show who uses a file of the root. */
interface UsesWorld {
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  /** Returns the rows that may mean a file. */
  readonly named: (path: string) => readonly Match[];
  readonly called: () => CalledScripts;
}

/**
 * Returns a function that returns whether only the root uses a tsconfig of the root, such as TypeDoc that a script of the root runs.
 * Nothing in a package is compiled with it then.
 */
export function openRootTsconfigs(
  world: UsesWorld,
): (tsconfig: string) => boolean {
  let isTypedocs: boolean | undefined;
  const runsTypedocInRoot = () =>
    (isTypedocs ??= packagesRunTypedocInRoot(world));
  return (tsconfig) => {
    if (!OTHER_TSCONFIG.test(tsconfig)) return false;
    const uses = usesOf(tsconfig, world);
    return (
      uses.length > 0 &&
      uses.every((use) => {
        const { file } = use.reference;
        if (OF_TYPEDOC.test(file))
          return (
            !runsTypedocInRoot() &&
            usesOf(file, world).every((other) => isIdle(other, world))
          );
        return isIdle(use, world);
      })
    );
  };
}

/** Returns the rows that mean a file, except those that mean everything in its folder, and words like its name without an ending. */
function usesOf(path: string, { named }: UsesWorld): readonly Match[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return named(path).filter(({ layer, row, byFolder }) => {
    if (layer.file(row) === path) return false;
    const words = layer.table.specifierOf(row);
    const isAny =
      byFolder &&
      unfinishedPart(words) === "" &&
      layer.table.suffixOf(row) === "";
    const isWord = GUESSES.has(layer.kind(row)) && !words.endsWith(name);
    return !isAny && (byFolder || !isWord);
  });
}

/** Returns whether no package follows a reference: it is in a page, in settings of CI, or in a script that only people run. */
function isIdle(
  { layer, row, reference }: Match,
  { layout, called }: UsesWorld,
): boolean {
  const { file, line } = reference;
  if (layout.ownerOf(file) !== layout.root) return false;
  if (isOfCi(file) || PAGE.test(file)) return true;
  return file === "package.json" && isOfScript(layer, row)
    ? !isCalled(line, called(), layout)
    : false;
}

/** Returns whether a row of the root's manifest belongs to one of its scripts. */
function isOfScript(layer: Layer, row: number): boolean {
  const { line } = layer.table.referenceOf(row);
  return layer
    .rowsOfPackage(SCRIPT_TEXTS)
    .some(
      (other) =>
        layer.file(other) === "package.json" &&
        layer.table.referenceOf(other).line === line,
    );
}

/** Returns whether a script of a package may run TypeDoc in the folder of the root. */
function packagesRunTypedocInRoot({
  layers,
  layout,
  called,
}: UsesWorld): boolean {
  return layers.some((layer) =>
    layer.rowsOfPackage(SCRIPT_TEXTS).some((row) => {
      const { specifier, line } = layer.table.referenceOf(row);
      const [, text] = nameAndText(specifier);
      if (!text.includes("typedoc")) return false;
      return layer.from(row) === layout.root
        ? isCalled(line, called(), layout)
        : MAY_LEAVE.test(text);
    }),
  );
}

/** Returns whether a package calls the script of the root in this line. */
function isCalled(
  line: number,
  { callersOf }: CalledScripts,
  { root }: Layout,
): boolean {
  return [...(callersOf.get(line) ?? [])].some(({ owner }) => owner !== root);
}

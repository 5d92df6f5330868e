import { remember } from "@skein/reporting/group-by";
import { below, dirOf, keyOf, pathFrom } from "../../resolve.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";

/** Endings that a file in git may have if it is named without its ending, or with the ending of its compiled form. */
const ENDINGS = [
  "",
  ".ts",
  ".tsx",
  ".mts",
  ".cts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".json",
  ".css",
];

/** The answers for a graph's layers. Thousands of rows ask for the same path. */
const known = new WeakMap<
  readonly Layer[],
  (path: string) => string | undefined
>();

/**
 * Finds the file of a path that is written without its ending, or as a folder with an index.
 * @returns undefined if git has no such file
 */
export function fileOf(
  path: string,
  layers: readonly Layer[],
): string | undefined {
  let find = known.get(layers);
  if (!find)
    known.set(layers, (find = remember((each) => findFile(each, layers))));
  return find(path);
}

function findFile(path: string, layers: readonly Layer[]): string | undefined {
  for (const ending of ENDINGS)
    for (const file of [
      `${path}${ending}`,
      ...(ending === "" ? [] : [below(path, `index${ending}`)]),
    ])
      if (layers.some((layer) => layer.hasFile(file))) return file;
  return undefined;
}

/**
 * Returns the file to which a symlink leads. Unlike an import, a symlink names it with its ending, which a row's target lacks.
 * @returns undefined for a folder, and for a file that git doesn't have, which a build may make from one that it has
 */
export function fileOfLink(
  layer: Layer,
  row: number,
  layers: readonly Layer[],
): string | undefined {
  const folder = dirOf(layer.file(row));
  const path = pathFrom(folder, layer.table.specifierOf(row), false);
  return path !== undefined && layers.some((each) => each.hasFile(path))
    ? path
    : undefined;
}

/** The files among which a path is looked for. */
export interface HereWorld {
  readonly layers: readonly Layer[];
  readonly layout: Layout;
}

/**
 * Returns whether a path that may begin at the project's root leads to something in its file's folder or in its package's, so
 * that it doesn't mean the root. A path without a dot means the root nevertheless if something is there. With a dot
 * (`./config/x.js`), a file that git has nowhere, such as a build output, is here if its folder is. A shell script that doesn't
 * exist isn't at the root: hardly any build makes shell scripts, so it begins in another folder, as after `cd "$OTHER"`.
 */
export function beginsHere(
  layer: Layer,
  row: number,
  { layers, layout }: HereWorld,
): boolean {
  if (layer.kind(row) !== "root-guess") return false;
  const specifier = layer.table.specifierOf(row);
  const from = layer.from(row);
  if (from < 0 || from === layout.root) return false;
  const hasDot = specifier.startsWith("./");
  const isPartial = layer.isPartial(row);
  if (!hasDot && isPartial) return false;
  const isNowhere = !exists(hasDot ? specifier.slice(2) : specifier, layers);
  if (!hasDot && !isNowhere) return false;
  if (isNowhere && /\.(?:ba)?sh$/.test(specifier)) return true;
  const isFile = hasDot && isNowhere && !isPartial;
  return [dirOf(layer.file(row)), layout.dirOf(from)].some((folder) => {
    const path = pathFrom(folder, specifier, false);
    return (
      path !== undefined &&
      (exists(path, layers) ||
        (isFile && layers.some((each) => each.hasFileBelow(dirOf(path)))))
    );
  });
}

/** Returns whether git has a file or folder of this path. */
export function exists(path: string, layers: readonly Layer[]): boolean {
  return (
    fileOf(path, layers) !== undefined ||
    // `./a.js` may mean `a.ts`.
    fileOf(keyOf(path), layers) !== undefined ||
    layers.some((layer) => layer.hasFileBelow(path))
  );
}

/** Endings of stylesheets that another one may omit. */
const STYLES = ["", ".css", ".scss", ".sass", ".less", ".styl", ".pcss"];

/** Returns whether a stylesheet's path from its own folder leads to a file, so that it doesn't begin elsewhere. */
export function isStyleHere(
  layer: Layer,
  row: number,
  layers: readonly Layer[],
): boolean {
  if (!STYLE.test(layer.file(row))) return false;
  const path = layer.table.targetOf(row);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [
    path,
    below(dirOf(path), `_${name}`),
    `${path}/index`,
    `${path}/_index`,
  ]
    .flatMap((stem) => STYLES.map((ending) => stem + ending))
    .some((each) => layers.some((other) => other.hasFile(each)));
}

const STYLE = /\.(?:css|scss|sass|less|pcss|postcss|styl|stylus)$/;

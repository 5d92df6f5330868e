import { below, dirOf, keyOf, pathFrom } from "../resolve.js";
import { fileOf } from "./file-of.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";

/** The files among which a path is looked for. */
export interface HereWorld {
  readonly layers: readonly Layer[];
  readonly layout: Layout;
}

/**
 * Returns whether a path with a dot (`./config/x.js`) that may begin at the project's root leads to something in its file's
 * folder or in its package's, so that it doesn't mean the root.
 */
export function beginsHere(
  layer: Layer,
  row: number,
  { layers, layout }: HereWorld,
): boolean {
  if (layer.kind(row) !== "root-guess") return false;
  const specifier = layer.table.specifierOf(row);
  const from = layer.from(row);
  if (!specifier.startsWith("./") || from < 0 || from === layout.root)
    return false;
  return [dirOf(layer.file(row)), layout.dirOf(from)].some((folder) => {
    const path = pathFrom(folder, specifier, false);
    return path !== undefined && exists(path, layers);
  });
}

function exists(path: string, layers: readonly Layer[]): boolean {
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

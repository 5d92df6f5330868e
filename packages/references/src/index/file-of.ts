import { below } from "../resolve.js";
import type { Layer } from "./layer.js";

/** What a file may be written as in git that is named without its ending, or by that of what it is compiled to. */
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

/** @returns the file of a path that is written without its ending, or as a folder with an index; undefined if git has none */
export function fileOf(
  path: string,
  layers: readonly Layer[],
): string | undefined {
  for (const ending of ENDINGS)
    for (const file of [
      `${path}${ending}`,
      ...(ending === "" ? [] : [below(path, `index${ending}`)]),
    ])
      if (layers.some((layer) => layer.hasFile(file))) return file;
  return undefined;
}

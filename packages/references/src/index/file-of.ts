import { below } from "../resolve.js";
import type { Layer } from "./layer.js";

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

/**
 * Finds the file of a path that is written without its ending, or as a folder with an index.
 * @returns undefined if git has no such file
 */
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

import { dirOf, keyOf } from "../resolve.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";

/** Sources that a program loads by importing them; settings and declarations work without being imported. */
const SOURCE =
  /^(?!\.)(?!.*(?:\.config|\.conf|rc|\.d|\.setup|file)\.[cm]?[jt]sx?$).*\.[cm]?[jt]sx?$/i;
/** What an entry point may be written as in git. */
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

/** @returns whether an import is the only way to use a source: each entry point of its package is in git */
export function openEntries(
  layers: readonly Layer[],
  layout: Layout,
): (path: string) => boolean {
  const known = new Map<number, boolean>();
  return (path) => {
    if (!SOURCE.test(path.slice(path.lastIndexOf("/") + 1))) return false;
    const owner = layout.ownerOf(path);
    if (owner < 0 || owner === layout.root) return false;
    let are = known.get(owner);
    if (are === undefined)
      known.set(owner, (are = areThere(layout.dirOf(owner), layers)));
    return are;
  };
}

/** Whether the manifest in a folder names an entry point, and each that it names is a file in git. */
function areThere(dir: string, layers: readonly Layer[]): boolean {
  const manifest = `${dir}/package.json`;
  const targets = layers.flatMap((layer) =>
    layer.entriesIn(manifest).map((row) => layer.found(row).target),
  );
  return (
    targets.length > 0 &&
    targets.every(
      (target) =>
        target.kind === "path" &&
        layers.some((layer) =>
          ENDINGS.some(
            (ending) =>
              layer.hasFile(`${target.path}${ending}`) ||
              (ending !== "" && layer.hasFile(`${target.path}/index${ending}`)),
          ),
        ),
    ) &&
    // A folder that is opened as a whole is no entry point.
    targets.every(
      (target) =>
        target.kind === "path" && dirOf(manifest) !== keyOf(target.path),
    )
  );
}

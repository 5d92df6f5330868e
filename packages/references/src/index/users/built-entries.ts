import { remember } from "@skein/reporting/group-by";
import { below, keyOf } from "../../resolve.js";
import { KIND_TRAITS } from "../kinds.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { fileOf } from "../targets/file-of.js";
import { match, type Match } from "../targets/match.js";

/** Folders at the beginning of a path into which builds write. */
const BUILT =
  /^(?:(?:dist|build|built|libs?|out|outputs?|esm?|cjs|umd|types|typings|target|bin|prod|module|commonjs)\/)+/;
/** Folders at the beginning of a path that contain what builds read. */
const READ = /^(?:(?:src|sources?|libs?)\/)+/;

/** An entry point that a build makes, without the folders that are different in the source's path. */
interface BuiltEntry {
  readonly name: string;
  readonly entry: Match;
}

/**
 * Opens the search for entry points of a package that a build makes of a file: `./dist/test/index.js` of `src/test/index.ts`.
 * @returns a function of the file's path
 */
export function openBuiltEntries(
  layers: readonly Layer[],
  layout: Layout,
): (path: string) => readonly Match[] {
  const entriesOf = remember((owner: number) =>
    builtEntries(owner, layers, layout),
  );
  return (path) => {
    const owner = layout.ownerOf(path);
    if (owner === layout.root) return [];
    const entries = entriesOf(owner);
    if (entries.length === 0) return [];
    const key = keyOf(layout.withinOwner(path)).replace(READ, "");
    return entries.flatMap(({ name, entry }) =>
      name === key || `${name}/index` === key ? [entry] : [],
    );
  };
}

/** Returns the entry points of a package in its manifest, and those that imports of other packages name: `@m/b/dist/test`. */
function builtEntries(
  owner: number,
  layers: readonly Layer[],
  layout: Layout,
): readonly BuiltEntry[] {
  const dir = layout.dirOf(owner);
  const named = layout.nameOf(owner);
  return layers.flatMap((layer) => {
    const rows = layer.rowsIn(below(dir, "package.json"));
    const own = rows.filter(
      (row) => layer.kind(row) === "entry" && !layer.isPartial(row),
    );
    const imports = [...layer.rowsOfPackage(named)].filter(
      (row) => KIND_TRAITS[layer.kind(row)].loads && !layer.isPartial(row),
    );
    return [...own, ...imports].flatMap((row): readonly BuiltEntry[] => {
      const target = layer.target(row);
      const path =
        target.kind === "path"
          ? target.path
          : below(dir, layer.table.specifierOf(row).slice(named.length + 1));
      if (path === dir || fileOf(path, layers)) return [];
      const within = keyOf(layout.withinOwner(path));
      const name = within.replace(BUILT, "").replace(/\.d$/, "");
      return BUILT.test(within)
        ? [{ name, entry: match(layer, row, false) }]
        : [];
    });
  });
}

import { PROGRAM_SIGN } from "../reference.js";
import { climb } from "./climb.js";
import type { ReferenceWorld } from "./climb.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import { VARIABLES } from "./table.js";

/** @see ReferenceGraph.speakersOf */
export function speakersOf(
  programs: ReadonlySet<string>,
  endings: readonly string[],
  {
    layers,
    layout,
    world,
  }: {
    readonly layers: readonly Layer[];
    readonly layout: Layout;
    readonly world: ReferenceWorld;
  },
): ReadonlySet<string> {
  const speakers = new Set<string>();
  const rootFiles = new Set<string>();
  for (const layer of layers) {
    for (const row of layer.rowsOfPackage(VARIABLES)) {
      const name = layer.table.specifierOf(row);
      if (!name.startsWith(PROGRAM_SIGN)) continue;
      if (!programs.has(name.slice(PROGRAM_SIGN.length))) continue;
      const from = layer.from(row);
      if (from === layout.root) rootFiles.add(layer.file(row));
      else speakers.add(layout.nameOf(from));
    }
    for (const path of layer.files())
      if (endings.some((ending) => path.endsWith(ending)))
        speakers.add(layout.nameOf(layout.ownerOf(path)));
  }
  for (const file of rootFiles)
    for (const name of climb(file, world).packages.keys()) speakers.add(name);
  return speakers;
}

import { remember } from "@skein/reporting/group-by";
import { BARE_SIGN, STARTER } from "../../reference.js";
import { usersIn, type FindUsers } from "./file-users.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { PROGRAMS } from "../table/table.js";

/** Finds the workspaces that may run programs of another language. @see ReferenceGraph.languageUsersOf */
export function languageUsersOf(
  programs: ReadonlySet<string>,
  endings: readonly string[],
  layers: readonly Layer[],
  {
    layout,
    findUsers,
  }: { readonly layout: Layout; readonly findUsers: FindUsers },
): ReadonlySet<string> {
  const speakers = new Set<string>();
  const starters = new Set<string>();
  /** Workspaces with a name that counts only beside a file that starts programs. */
  const perhaps = new Set<string>();
  const readersOf = remember((file: string) => [
    ...usersIn(findUsers(file, true)).keys(),
  ]);
  /** The workspaces whose programs a file is part of. */
  const usersOf = (layer: Layer, row: number): readonly string[] => {
    const from = layer.from(row);
    if (from !== layout.root) return [layout.nameOf(from)];
    const file = layer.file(row);
    // The programs that the root's scripts run are known from the texts of these scripts.
    return file === "package.json" ? [] : readersOf(file);
  };
  for (const layer of layers) {
    for (const row of layer.rowsOfPackage(PROGRAMS)) {
      const name = layer.table.specifierOf(row);
      const found =
        name === STARTER
          ? starters
          : programs.has(name)
            ? speakers
            : name.startsWith(BARE_SIGN) &&
                programs.has(name.slice(BARE_SIGN.length))
              ? perhaps
              : undefined;
      for (const user of found ? usersOf(layer, row) : []) found?.add(user);
    }
    for (const path of layer.files())
      if (endings.some((ending) => path.endsWith(ending)))
        speakers.add(layout.nameOf(layout.ownerOf(path)));
  }
  for (const name of perhaps) if (starters.has(name)) speakers.add(name);
  return speakers;
}

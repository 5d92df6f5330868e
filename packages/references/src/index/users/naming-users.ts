import { usersIn, type FindUsers } from "./file-users.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";

/** Finds the workspaces that may call one of some external packages. @see ReferenceGraph.namersOf */
export function namersOf(
  externals: readonly string[],
  layers: readonly Layer[],
  {
    layout,
    findUsers,
  }: { readonly layout: Layout; readonly findUsers: FindUsers },
): ReadonlySet<string> {
  const namers = new Set<string>();
  const files = new Set<string>();
  for (const layer of layers)
    for (const row of externals.flatMap((name) => layer.rowsOfPackage(name))) {
      const [from, kind] = [layer.from(row), layer.kind(row)];
      if (from < 0 || kind === "dependency" || kind === "linked-dependency")
        continue;
      if (from === layout.root) files.add(layer.file(row));
      else namers.add(layout.nameOf(from));
    }
  files.delete("package.json");
  for (const file of files)
    for (const user of usersIn(findUsers(file, true)).keys()) namers.add(user);
  return namers;
}

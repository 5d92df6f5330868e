import { SHELL_SIGN } from "../../reference.js";
import type { Layer } from "../layer.js";

/** Returns the commands of a shell script, if all of them are known. @see ReferenceGraph.shellOf */
export function shellOf(
  path: string,
  layers: readonly Layer[],
): string | undefined {
  for (const layer of layers)
    for (const row of layer.rowsIn(path)) {
      const name = layer.table.specifierOf(row);
      if (layer.kind(row) === "program" && name.startsWith(SHELL_SIGN))
        return name.slice(SHELL_SIGN.length);
    }
  return undefined;
}

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SourceAddress } from "../migration.js";
import { parseSource, type AddressProblem } from "../source-address.js";

/** Reads a source as the user gave it; a folder is looked up from where they are. */
export async function findAddress(
  given: string,
  cwd: string,
): Promise<SourceAddress | AddressProblem> {
  const folder = resolve(cwd, given);
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return parseSource(given, isFolder ? folder : undefined);
}

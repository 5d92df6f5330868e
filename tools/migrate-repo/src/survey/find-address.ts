import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SourceAddress } from "../migration.js";
import { isBundle } from "./bundle.js";
import { parseSource, type AddressProblem } from "../names/source-address.js";

/** Parses a source as the user gave it. The path of a folder or bundle is relative to `cwd`. */
export async function findAddress(
  given: string,
  cwd: string,
): Promise<SourceAddress | AddressProblem> {
  const folder = resolve(cwd, given);
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const isLocal = isFolder || (await isBundle(folder));
  return parseSource(given, isLocal ? folder : undefined);
}

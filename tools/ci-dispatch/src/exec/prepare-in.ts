import { mkdir, writeFile } from "node:fs/promises";
import type { OurModule } from "../runners/our-module.js";

/** Makes a folder, prepares a run or a probe in it, and writes the module that it needs. */
export async function prepareIn<
  Prepared extends { readonly module?: OurModule },
>(folder: string, prepare: (folder: string) => Prepared): Promise<Prepared> {
  await mkdir(folder, { recursive: true });
  const prepared = prepare(folder);
  if (prepared.module)
    await writeFile(prepared.module.path, prepared.module.text);
  return prepared;
}

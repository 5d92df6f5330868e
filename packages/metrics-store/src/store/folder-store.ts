import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readRegularFile, usageFailure } from "@skein/reporting";
import { replaceFile } from "@skein/reporting/replace-file";
import type { EventStore, StoredFiles } from "./store.js";

/**
 * Returns a store in a folder on this machine. Each file is first written completely under another name, and then
 * replaces the old one.
 */
export function folderStore(dir: string): EventStore {
  return {
    place: dir,
    journal: join(dir, "delivery.journal"),
    files: () => filesIn(dir),
    async update(change) {
      const changed = await change(await filesIn(dir));
      await mkdir(dir, { recursive: true });
      for (const [name, bytes] of changed) {
        if (!bytes) continue;
        const file = join(dir, name);
        await replaceFile(file, bytes, `${file}.new`);
      }
      // Files are removed last. If the process is killed before, their content exists twice, which counts once.
      for (const [name, bytes] of changed)
        if (!bytes) await rm(join(dir, name), { force: true });
    },
  };
}

async function filesIn(dir: string): Promise<StoredFiles> {
  const names = await readdir(dir).catch((error: unknown): string[] => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw usageFailure(`the events cannot be stored here: ${message}`, {
      place: { file: dir },
      hint: "set a folder with --to; it is created if it doesn't exist",
    });
  });
  // These files are from a process that was killed while writing.
  for (const name of names.filter((each) =>
    /^delivery-.*\.(gz|br)\.new$/.test(each),
  ))
    await rm(join(dir, name), { force: true });
  return {
    names,
    read: (name) =>
      names.includes(name)
        ? readRegularFile(join(dir, name))
        : Promise.resolve(undefined),
  };
}

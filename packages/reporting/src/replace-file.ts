import type { Stats } from "node:fs";
import { mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ifMissing } from "./failure.js";

/**
 * Replaces a file's content atomically. It preserves the permissions whatever the umask is, and owner and group if the
 * system allows it. A new file gets default permissions.
 * @param file not a symlink: the link itself would be replaced
 * @param draft a path in the same folder that no other process uses; the content is first written there. A draft that a
 *   killed process left is removed
 * @param options.sync whether the content must be on the disk before the file is replaced, because a rename may reach
 *   the disk first. Default: no
 * @throws the system's error; the file is then unchanged, and the draft is removed
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  draft: string,
  { sync = false }: { readonly sync?: boolean } = {},
): Promise<void> {
  const before = await stat(file).catch(ifMissing);
  await rm(draft, { force: true });
  // Until the draft has the file's own permissions, no other user may read it, because the file may be private.
  const handle = await open(draft, "wx", before ? 0o600 : undefined);
  try {
    try {
      await handle.writeFile(content);
      if (before) await copyPermissions(handle, before);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Replaces files whose content a library writes, because it only takes paths. All files are complete before the first one is
 * replaced; each is replaced as by `replaceFile`.
 * @param files paths in one folder; at least one
 * @param write writes each file at its draft's path, which is in a private folder
 */
export async function replaceFilesBy(
  files: readonly [string, ...string[]],
  write: (draftOf: (file: string) => string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(dirname(files[0]), ".skein-"));
  const draftOf = (file: string) => join(folder, basename(file));
  try {
    await write(draftOf);
    for (const file of files) {
      const before = await stat(file).catch(ifMissing);
      if (!before) continue;
      const handle = await open(draftOf(file), "r+");
      try {
        await copyPermissions(handle, before);
      } finally {
        await handle.close();
      }
    }
    for (const file of files) await rename(draftOf(file), file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyPermissions(
  handle: FileHandle,
  before: Stats,
): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== before.uid || gid !== before.gid)
    // Only root may change the owner, and only a member may set the group. Otherwise the file belongs to the writer, as
    // with an editor.
    await handle.chown(before.uid, before.gid).catch(() => undefined);
  await handle.chmod(before.mode & 0o7777);
}

import type { Stats } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

/**
 * Replaces a file's content whole or not at all, and keeps its permissions whatever the umask, and its owner and group
 * where the system allows that. A file that does not exist is made with the permissions of any new one.
 * @param file no symlink: the link itself would be replaced
 * @param draft a path in the same folder that no other process uses; the content is first written there. A draft that a
 * killed process left is removed
 * @param options.sync whether the content is on the disk before the file is replaced: a rename may reach the disk first.
 * Default: no
 * @throws what the system reports; the file is then as it was, and the draft is gone
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  draft: string,
  { sync = false }: { readonly sync?: boolean } = {},
): Promise<void> {
  const before = await stat(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  await rm(draft, { force: true });
  // Until it has the file's own permissions, nobody else may read what the file may hide.
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

async function copyPermissions(
  handle: FileHandle,
  before: Stats,
): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== before.uid || gid !== before.gid)
    // Only root may give a file away, and a group takes it only from a member: else it is the writer's, as with an editor.
    await handle.chown(before.uid, before.gid).catch(() => undefined);
  await handle.chmod(before.mode & 0o7777);
}

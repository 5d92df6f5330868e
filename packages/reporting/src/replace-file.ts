import type { Stats } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

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
  const before = await stat(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
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

import { byDescriptor, byIdent } from "./lock-index.js";
import type { LockEntry, Lockfile } from "@skein/workspaces";

/**
 * Returns all external packages that workspaces install, at any depth: descriptor -> resolution, sorted.
 * @param dirs folders; workspaces in and below them count
 */
export function resolutionsBelow(
  lock: Lockfile,
  dirs: readonly string[],
): Readonly<Record<string, string>> {
  const entries = byDescriptor(lock);
  const ofIdent = byIdent(lock);
  const open: LockEntry[] = lock.entries.filter(({ resolution }) => {
    const dir = /@workspace:(.+)$/.exec(resolution)?.[1];
    return dirs.some((one) => dir === one || dir?.startsWith(`${one}/`));
  });
  const found = new Map<string, string>();
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [ident, range] of next.dependencies) {
      const asked = `${ident}@${range}`;
      const exact = entries.get(asked);
      // The range of a catalog or a patch differs between a dependency and its descriptor.
      for (const entry of exact ? [exact] : ofIdent(ident)) {
        const descriptor = exact ? asked : (entry.descriptors[0] ?? asked);
        // A workspace's own dependencies don't matter here.
        if (entry.resolution.includes("@workspace:")) continue;
        if (found.has(descriptor)) continue;
        found.set(descriptor, entry.resolution);
        open.push(entry);
      }
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

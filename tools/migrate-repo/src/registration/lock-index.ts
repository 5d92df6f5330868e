import { identOf, type LockEntry, type Lockfile } from "@skein/workspaces";

/** Returns the entries of a lockfile, by descriptor. */
export function byDescriptor({
  entries,
}: Lockfile): ReadonlyMap<string, LockEntry> {
  return new Map(
    entries.flatMap((entry) =>
      entry.descriptors.map((descriptor) => [descriptor, entry] as const),
    ),
  );
}

/** Returns a function that finds all entries of a package. */
export function byIdent({
  entries,
}: Lockfile): (ident: string) => readonly LockEntry[] {
  const found = new Map<string, LockEntry[]>();
  for (const entry of entries) {
    const ident = identOf(entry.resolution);
    found.set(ident, [...(found.get(ident) ?? []), entry]);
  }
  return (ident) => found.get(ident) ?? [];
}

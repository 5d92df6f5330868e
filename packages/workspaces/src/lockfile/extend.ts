import type { PackageExtension } from "../catalogs.js";
import { identOf, workspaceDirOf, type Lockfile } from "./lockfile.js";

/**
 * Adds `packageExtensions` to the entries of a lockfile: Yarn installs their dependencies, but writes none of them into
 * the extended entry. The text of an extended entry holds the extension, so another extension makes it another package.
 * An extension counts for every version of its package, whatever range it has.
 * @returns the lockfile, and the texts of extensions whose package is a workspace
 */
export function extendLockfile(
  lockfile: Lockfile,
  extensions: readonly PackageExtension[],
): { readonly lockfile: Lockfile; readonly others: readonly string[] } {
  if (extensions.length === 0) return { lockfile, others: [] };
  const idents = new Set(extensions.map(({ ident }) => ident));
  const others = new Set<string>();
  const entries = lockfile.entries.map((entry) => {
    const extended = identOf(entry.resolution);
    if (!idents.has(extended)) return entry;
    const added = extensions.filter(({ ident }) => ident === extended);
    if (workspaceDirOf(entry.resolution) !== undefined) {
      for (const { text } of added) others.add(text);
      return entry;
    }
    return {
      ...entry,
      dependencies: [
        ...entry.dependencies,
        ...added.flatMap(({ dependencies }) => dependencies),
      ],
      text: [entry.text, ...added.map(({ text }) => text)].join("\n"),
    };
  });
  return {
    lockfile: { ...lockfile, entries, written: lockfile.written ?? lockfile },
    others: [...others],
  };
}

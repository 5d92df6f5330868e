/**
 * Returns whether a name matches a glob in which `*` matches anything, including slashes, as in `git branch --list`.
 */
export function globMatches(glob: string, name: string): boolean {
  const pattern = glob
    .split("*")
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
    .join(".*");
  return new RegExp(`^${pattern}$`).test(name);
}

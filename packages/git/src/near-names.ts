import { distance } from "fastest-levenshtein";

/**
 * Returns names like the one asked for, nearest first, at most three: few letters apart, or the same after the remote's
 * name.
 */
export function nearNames(asked: string, names: readonly string[]): string[] {
  const last = asked.slice(asked.lastIndexOf("/") + 1);
  const limit = Math.max(2, Math.floor(asked.length / 3)); // Two letters swapped are two apart.
  return names
    .map((name) => ({
      name,
      far:
        name.endsWith(`/${asked}`) || name === last ? 0 : distance(asked, name),
    }))
    .filter(({ far }) => far <= limit && far < asked.length)
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

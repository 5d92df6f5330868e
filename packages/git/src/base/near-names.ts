import { distance } from "fastest-levenshtein";

/**
 * Returns at most three similar names, nearest first: names that differ by a few letters, or only by the remote's
 * prefix.
 */
export function nearNames(asked: string, names: readonly string[]): string[] {
  const last = asked.slice(asked.lastIndexOf("/") + 1);
  const limit = Math.max(2, Math.floor(asked.length / 3)); // Two swapped letters have a distance of two.
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

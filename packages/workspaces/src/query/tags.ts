import { nameMatcher } from "./patterns.js";

/** The `tags` of skein.json, by a package's name or a glob over names. */
export type TagSettings = Readonly<Record<string, readonly string[]>>;

/**
 * Returns a function that returns a package's tags: those of all matching entries, without duplicates, in the settings'
 * order.
 */
export function tagReader(
  settings: TagSettings,
): (name: string) => readonly string[] {
  const entries = Object.entries(settings).map(
    ([pattern, tags]) => [nameMatcher(pattern), tags] as const,
  );
  return (name) => [
    ...new Set(
      entries.flatMap(([matches, tags]) => (matches(name) ? tags : [])),
    ),
  ];
}

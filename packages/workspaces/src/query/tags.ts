import { nameMatcher } from "./patterns.js";

/** `tags` of skein.json: tags by a package's name, or a glob over names. */
export type TagSettings = Readonly<Record<string, readonly string[]>>;

/** A function that gives a package's tags: those of every entry that stands for it, each once, in the settings' order. */
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

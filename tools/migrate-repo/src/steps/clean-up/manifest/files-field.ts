/** The most entries that a person would write by hand. */
const LONGEST = 15;

/** Files that npm always packs (docs.npmjs.com, package.json, "files"). */
const ALWAYS = /^(?:package\.json|(?:readme|copying|licen[cs]e)(?:\..*)?)$/i;

/**
 * Returns a `files` field for a manifest that names exactly these paths: a folder if all of its files are packed,
 * otherwise the packed entries in it.
 * @param packed the paths to pack
 * @param all every existing path, including those
 * @returns undefined if the list would be long, or if a name has a special meaning in a pattern
 */
export function asFilesField(
  packed: readonly string[],
  all: readonly string[],
): readonly string[] | undefined {
  const wanted = new Set(packed);
  const entries = cover(
    "",
    all.filter((path) => !ALWAYS.test(path)),
    wanted,
  ).sort();
  const isPlain = entries.every((entry) => !/[*?[\]{}()!+@\\#]/.test(entry));
  return isPlain && entries.length > 0 && entries.length <= LONGEST
    ? entries
    : undefined;
}

function cover(
  under: string,
  paths: readonly string[],
  wanted: ReadonlySet<string>,
): string[] {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const [name = ""] = path.slice(under.length).split("/");
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  return [...groups].flatMap(([name, inside]) => {
    const packed = inside.filter((path) => wanted.has(path));
    if (packed.length === 0) return [];
    return packed.length === inside.length
      ? [under + name]
      : cover(`${under}${name}/`, inside, wanted);
  });
}

/** More than this many entries nobody would write by hand. */
const LONGEST = 15;

/** npm packs these whatever `files` says (docs.npmjs.com, package.json, "files"). */
const ALWAYS = /^(?:package\.json|(?:readme|copying|licen[cs]e)(?:\..*)?)$/i;

/**
 * Returns the `files` of a manifest that names these paths and no others: folders where all of them are packed, else
 * what is in
 * them.
 * @param packed what is to be packed
 * @param all every path there is, those included
 * @returns undefined where it would be long, or where a name means something in a pattern
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

/**
 * Parses lines of input, each followed by the objects that it results in, which are indented:
 *
 *     open("a", O_RDONLY) = 3</w/a>
 *       kind=read path=/w/a
 *
 * `true` and `false` are booleans, and all other values are texts, which may contain spaces. Lines that begin with `#`
 * are comments.
 */
export function transcript(
  text: string,
): readonly [input: string, results: readonly object[]][] {
  const rows: [string, object[]][] = [];
  for (const line of text.split("\n"))
    if (line.startsWith("  ")) rows.at(-1)?.[1].push(objectIn(line));
    else if (line !== "" && !line.startsWith("#")) rows.push([line, []]);
  return rows;
}

function objectIn(line: string): object {
  return Object.fromEntries(
    line
      .trim()
      .split(/ (?=\w+=)/)
      .map((member) => {
        const [name = "", value = ""] = member.split(/=(.*)/s);
        const isBoolean = value === "true" || value === "false";
        return [name, isBoolean ? value === "true" : value];
      }),
  );
}

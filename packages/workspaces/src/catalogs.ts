/** The settings of .yarnrc.yml that the graph needs, and the rest as text to compare. */
export interface YarnSettings {
  /** Catalog name (`` for the default one) -> ident -> range. */
  readonly catalogs: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** All other lines, without blank lines and comments. */
  readonly rest: string;
}

/**
 * Parses the catalogs of .yarnrc.yml: two or three levels of plain keys. Any other form stays in `rest`, where a
 * difference counts as a change of everything.
 */
export function readYarnSettings(text: string): YarnSettings {
  const catalogs = new Map<string, Map<string, string>>();
  const rest: string[] = [];
  let section: "catalog" | "catalogs" | undefined;
  let current: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(#|$)/.test(line)) continue;
    if (!line.startsWith(" ")) {
      section = /^(catalogs?):\s*$/.exec(line)?.[1] as typeof section;
      current = section === "catalog" ? open("") : undefined;
      if (!section) rest.push(line);
      continue;
    }
    const [, indent = "", key = "", value = ""] =
      /^( +)("[^"]+"|'[^']+'|[^\s"':][^:]*):\s*(.*?)\s*$/.exec(line) ?? [];
    if (
      section === "catalogs" &&
      indent.length === 2 &&
      value === "" &&
      key !== ""
    )
      current = open(unquote(key));
    else if (
      section &&
      current &&
      key !== "" &&
      indent.length === (section === "catalog" ? 2 : 4) &&
      isPlain(value)
    ) {
      current.set(unquote(key), unquote(value));
    } else rest.push(line);
  }
  return { catalogs, rest: rest.join("\n") };

  function open(name: string): Map<string, string> {
    const catalog = new Map<string, string>();
    catalogs.set(name, catalog);
    return catalog;
  }
}

function isPlain(value: string): boolean {
  return /^("[^"\\]+"|'[^']+'|[^\s"'#&*!|>{[%@`][^#]*)$/.test(value);
}

function unquote(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, "$2");
}

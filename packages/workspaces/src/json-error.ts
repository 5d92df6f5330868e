type Expected =
  | "value"
  | "value or ]"
  | "key"
  | "key or }"
  | ":"
  | ", or end"
  | "nothing";

const TOKEN =
  /[\t\n\r ]*(?:(?<mark>[{}[\],:])|(?<text>"(?:[^"\\\t\n\r]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<other>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

const WORDS: Readonly<Record<Expected, string>> = {
  value: "a value is missing",
  "value or ]": "a value or ] is missing",
  key: "a name in double quotes is missing",
  "key or }": "a name in double quotes or } is missing",
  ":": "a colon is missing",
  ", or end": "a comma or the closing bracket is missing",
  nothing: "there is more than one value",
};

/**
 * Finds the place where a text stops being JSON, and what is missing there. It is for texts that `JSON.parse` refused,
 * because the place in its message depends on the version of Node, and some messages have none.
 * @returns the 1-based line, and a sentence
 */
export function findJsonError(text: string): {
  readonly line: number;
  readonly detail: string;
} {
  const token = new RegExp(TOKEN);
  const open: string[] = [];
  let expected: Expected = "value";
  let position = 0;
  for (;;) {
    token.lastIndex = position;
    const match = token.exec(text);
    const next: Expected | undefined =
      match?.groups && follow(expected, match.groups, open);
    if (!match || next === undefined) break;
    expected = next;
    position += match[0].length;
  }
  const rest = text.slice(position);
  const start = text.length - rest.trimStart().length;
  return {
    line: text.slice(0, start).split("\n").length,
    detail: `not JSON: ${WORDS[expected]}`,
  };
}

/** Returns what may follow a token; undefined if the token itself isn't allowed. */
function follow(
  expected: Expected,
  { mark, text }: Readonly<Record<string, string | undefined>>,
  open: string[],
): Expected | undefined {
  const after = (): Expected => (open.length > 0 ? ", or end" : "nothing");
  if (mark === "}" || mark === "]") {
    const empty = mark === "}" ? "key or }" : "value or ]";
    if (expected !== empty && expected !== ", or end") return undefined;
    return open.pop() === mark ? after() : undefined;
  }
  switch (expected) {
    case "key":
    case "key or }":
      return text === undefined ? undefined : ":";
    case ":":
      return mark === ":" ? "value" : undefined;
    case ", or end":
      if (mark !== ",") return undefined;
      return open.at(-1) === "}" ? "key" : "value";
    case "nothing":
      return undefined;
    case "value":
    case "value or ]":
      if (mark === undefined) return after();
      if (mark !== "{" && mark !== "[") return undefined;
      open.push(mark === "{" ? "}" : "]");
      return mark === "{" ? "key or }" : "value or ]";
  }
}

/**
 * Returns whether the brackets of a JSON text are nested more deeply than this many levels.
 * @param text valid JSON
 */
export function nestsDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (inString) {
      if (letter === "\\") at++;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === "{" || letter === "[") {
      if (++depth > levels) return true;
    } else if (letter === "}" || letter === "]") depth--;
  }
  return false;
}

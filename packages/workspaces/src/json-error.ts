type Expected =
  "value" | "value or ]" | "key" | "key or }" | ":" | ", or end" | "nothing";

const TOKEN =
  /[\t\n\r ]*(?:(?<mark>[{}[\],:])|(?<text>"(?:[^"\\\t\n\r]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<other>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/**
 * The line in which a text stops being JSON; 1-based. For a text that `JSON.parse` refused: what its message says of the
 * place differs from one Node to the next, and some messages say nothing.
 */
export function lineOfJsonError(text: string): number {
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
  return text.slice(0, start).split("\n").length;
}

/** What may come after a token; undefined where the token itself may not stand. */
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

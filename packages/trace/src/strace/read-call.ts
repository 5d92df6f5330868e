/** One line of strace's output, written with `-f -o FILE`. */
export type StraceLine =
  | { readonly kind: "call"; readonly pid: number; readonly text: string }
  | { readonly kind: "unfinished"; readonly pid: number; readonly text: string }
  | { readonly kind: "resumed"; readonly pid: number; readonly text: string }
  /** A process or thread ended. */
  | { readonly kind: "ended"; readonly pid: number }
  /** A thread executed a program, and continues under the id of its process. */
  | { readonly kind: "replaced"; readonly pid: number; readonly by: number }
  | { readonly kind: "signal"; readonly pid: number }
  | { readonly kind: "unknown" };

const UNFINISHED = " <unfinished ...>";

/** Splits a line into the process and its action. Never throws. */
export function readLine(line: string): StraceLine {
  const head = /^(\d+) +/.exec(line);
  if (!head) return { kind: "unknown" };
  const pid = Number(head[1]);
  const text = line.slice(head[0].length);
  const mark = text.slice(0, 4);
  if (mark === "<...") {
    const resumed = / resumed>/.exec(text);
    return resumed
      ? { kind: "resumed", pid, text: text.slice(resumed.index + 9) }
      : { kind: "unknown" };
  }
  if (mark === "+++ ") {
    const superseded = /^\+\+\+ superseded by execve in pid (\d+)/.exec(text);
    if (superseded) return { kind: "replaced", pid, by: Number(superseded[1]) };
    return /^\+\+\+ (?:exited|killed)/.test(text)
      ? { kind: "ended", pid }
      : { kind: "unknown" };
  }
  if (mark === "--- ") return { kind: "signal", pid };
  return text.endsWith(UNFINISHED)
    ? { kind: "unfinished", pid, text: text.slice(0, -UNFINISHED.length) }
    : { kind: "call", pid, text };
}

/** A system call as strace wrote it: arguments and result are still in its notation. */
export interface Call {
  readonly name: string;
  readonly args: readonly string[];
  /** The text after the `=`. */
  readonly result: string;
}

/** Splits a complete call. @returns undefined if the text isn't one */
export function readCall(text: string): Call | undefined {
  const open = text.indexOf("(");
  if (open < 1) return undefined;
  const args: string[] = [];
  let start = open + 1;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === "<") at = endOfPath(text, at);
    else if (char === "/" && text.startsWith("/* ", at))
      at = text.indexOf("*/", at) + 1 || text.length;
    else if (char === "(" || char === "[" || char === "{") depth++;
    else if (depth > 0 && (char === ")" || char === "]" || char === "}"))
      depth--;
    else if (depth === 0 && (char === "," || char === ")")) {
      args.push(text.slice(start, at).trim());
      start = at + 1;
      if (char === ")") return withResult(text, open, args, start);
    }
  }
  return undefined;
}

function withResult(
  text: string,
  open: number,
  args: readonly string[],
  start: number,
): Call | undefined {
  const result = /^\s*= (.*)$/.exec(text.slice(start))?.[1];
  if (result === undefined) return undefined;
  return {
    name: text.slice(0, open),
    args: args.length === 1 && args[0] === "" ? [] : args,
    result,
  };
}

/** Returns the index of the quote that ends a string. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === '"') return end;
  }
  return text.length;
}

/** Returns the index of the `>` that ends the path of a descriptor. In the path, strace escapes `<` and `>`. */
function endOfPath(text: string, at: number): number {
  // A shift, as in struct fields (`1<<20`), isn't the start of a path.
  if (text[at + 1] === "<") return at + 1;
  const end = text.indexOf(">", at);
  return end === -1 ? at : end;
}

const ESCAPES: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  v: 11,
  f: 12,
  a: 7,
  b: 8,
  "0": 0,
  '"': 34,
  "\\": 92,
};

/** A decoded word; undefined if it can't be decoded: truncated, not a string, or not UTF-8. */
export type Decoded = string | undefined;

/**
 * Decodes a string argument: `"…"`, with C's escapes for bytes. @returns undefined if strace truncated it, or wrote an
 * address
 */
export function decodeString(arg: string): Decoded {
  return arg.length > 1 && arg.startsWith('"') && arg.endsWith('"')
    ? unescapeBytes(arg.slice(1, -1))
    : undefined;
}

/**
 * Decodes the path of a descriptor, as `-y` writes it: `3</path>`, `AT_FDCWD</path>`.
 * @returns undefined if it has none: a socket, a pipe, or a file that was removed
 */
export function decodeDescriptor(arg: string): Decoded {
  const match = /^(?:AT_FDCWD|-?\d+)<(\/.*)>(\(deleted\))?$/s.exec(arg);
  const path = match?.[1];
  if (path === undefined || match?.[2] !== undefined) return undefined;
  return path.endsWith(" (deleted)") ? undefined : unescapeBytes(path);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function unescapeBytes(text: string): Decoded {
  if (!text.includes("\\")) return text;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "\\") {
      bytes.push(...Buffer.from(text[at] ?? "", "utf8"));
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
    const hex = /^x[0-9a-f]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    const digits = octal ?? hex;
    const plain = ESCAPES[text[at + 1] ?? ""];
    if (digits !== undefined) {
      bytes.push(
        octal !== undefined
          ? parseInt(octal, 8)
          : parseInt(digits.slice(1), 16),
      );
      at += digits.length;
    } else if (plain !== undefined) {
      bytes.push(plain);
      at++;
    } else return undefined;
  }
  try {
    return utf8.decode(Uint8Array.from(bytes));
  } catch {
    return undefined; // Not UTF-8, so it isn't a path of a project that git could name.
  }
}

import type { Reference } from "../../reference.js";
import { fileKind, type FileKind } from "../file-kinds.js";

/** `process.env.X`, `import.meta.env.X`, `env?.["x"]`, `Deno.env.get("x")`: of any object with the name `env`. */
const MEMBER =
  /\benv\b\s*(?:\?\.|[.!]+)?\s*(?:\.\s*)?(?:([A-Za-z_]\w*)|\[\s*(["'`])([A-Za-z_]\w*)\2\s*\]|\.?get\(\s*(["'`])([A-Za-z_]\w*)\4)/g;

/** `const { X, y: name = "" } = process.env`. */
const TAKEN_APART = /\{([^{}]*)\}\s*(?::[^=;]*)?=\s*[\w.?!\s]*\benv\b/g;
const NAME = /(?:^|,)\s*(?:(["'`]?)([A-Za-z_]\w*)\1)/g;

/**
 * Names in the usual form of variables. In a file that uses an environment, they count everywhere, because a name may reach
 * it through a constant, a parameter or a list.
 */
const CAPITALS = /(?<![\w$])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_?(?![\w(])/g;
const SPEAKS_OF_ENVIRONMENT = /env/i;

/**
 * `$X`, `${X:-y}`, `%X%` in a shell script, a Makefile or a workflow. In a source, only names in capitals count, since the
 * others are its own.
 */
const EXPANDED = /\$\{?([A-Za-z_]\w*)|%([A-Za-z_]\w*)%/g;
const EXPANDED_IN_SOURCE = /\$\{?([A-Z][A-Z0-9_]+)\b/g;

/** `X=1`, `export X=1` at the beginning of a line: an environment that already has X keeps its value. */
const GIVEN = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]*)[ \t]*=/gm;

/** The maximum number of names in one file; a file with more is a list of constants. */
const MOST = 2_000;

const NO_SOURCES: ReadonlySet<FileKind> = new Set<FileKind>([
  "manifest",
  "settings",
  "text",
  "shell",
  "image",
  "nameless",
  "dotenv",
]);

/** Returns the environment variables that a text names, or may name, each once: too many rather than too few. */
export function scanVariables(
  kind: FileKind,
  text: string,
): readonly Reference[] {
  if (kind === "symlink" || kind.startsWith("style") || kind === "page")
    return [];
  const names = new Set<string>();
  const isSource = !NO_SOURCES.has(kind);
  if (SPEAKS_OF_ENVIRONMENT.test(text)) {
    for (const [, plain, , quoted, , got] of text.matchAll(MEMBER))
      names.add(plain ?? quoted ?? got ?? "");
    for (const [, parts = ""] of text.matchAll(TAKEN_APART))
      for (const [, , name = ""] of parts.matchAll(NAME)) names.add(name);
    for (const [name] of text.matchAll(CAPITALS))
      if (name.length > 1) names.add(name);
  }
  if (text.includes("$") || text.includes("%"))
    for (const [, name, percent] of text.matchAll(
      isSource ? EXPANDED_IN_SOURCE : EXPANDED,
    ))
      names.add(name ?? percent ?? "");
  if (kind === "dotenv")
    for (const [, name = ""] of text.matchAll(GIVEN)) names.add(name);
  names.delete("");
  return [...names]
    .slice(0, MOST)
    .map((specifier) => ({ specifier, kind: "variable", line: 1, column: 1 }));
}

/**
 * Returns the environment variables that a file outside the index names.
 * @param path determines how it is read
 */
export function variablesIn(path: string, text: string): readonly string[] {
  const kind = fileKind(path, "100644");
  return kind
    ? scanVariables(kind, text).map(({ specifier }) => specifier)
    : [];
}

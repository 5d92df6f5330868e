import {
  applyEdits,
  modify,
  type FormattingOptions,
  type JSONPath,
} from "jsonc-parser";

/**
 * Sets one value of a JSON file and doesn't change the rest of the text. A new dependency is inserted in Yarn's order, a new
 * `devDependencies` after `dependencies`, and any other new field at the end.
 * @param value undefined removes the value, and the field around it if that is empty then
 */
export function setInJson(
  text: string,
  path: JSONPath,
  value: unknown,
): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const options = {
    formattingOptions: formattingOf(body),
    getInsertionIndex: (keys: string[]) =>
      at(body, path.slice(0, -1)) === undefined
        ? placeOfField(keys, path)
        : placeOfEntry(keys, path),
  };
  if (value !== undefined)
    return mark + applyEdits(body, modify(body, path, value, options));
  let gone = path;
  for (; gone.length > 1; gone = gone.slice(0, -1)) {
    const around = at(body, gone.slice(0, -1));
    if (typeof around !== "object" || around === null) return text;
    if (!Object.hasOwn(around, String(gone.at(-1)))) return text;
    if (Object.keys(around).length > 1) break;
  }
  return mark + applyEdits(body, modify(body, gone, undefined, options));
}

/** Returns a manifest's indentation and line ends. */
export function formattingOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

function placeOfField(keys: readonly string[], [field]: JSONPath): number {
  const before =
    field === "devDependencies" ? keys.indexOf("dependencies") : -1;
  return before < 0 ? keys.length : before + 1;
}

function placeOfEntry(keys: readonly string[], path: JSONPath): number {
  if (path.length === 1 || !String(path[0]).endsWith("ependencies"))
    return keys.length;
  const next = keys.findIndex((key) => key > String(path[1]));
  return next < 0 ? keys.length : next;
}

function at(text: string, path: JSONPath): unknown {
  let value: unknown = JSON.parse(text);
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[String(key)];
  }
  return value;
}

import { applyEdits, modify, type FormattingOptions } from "jsonc-parser";

type Field = "dependencies" | "devDependencies";

/** A manifest with one more dependency, and the line of that dependency (1-based). The rest of the text is unchanged. */
export interface EditedManifest {
  readonly text: string;
  readonly line: number;
}

/**
 * Declares a dependency in the order that Yarn writes, with the manifest's own indentation and line endings. If
 * `dependencies` gets the entry, an entry of the same name in devDependencies is removed.
 */
export function declareDependency(
  text: string,
  field: Field,
  name: string,
  range: string,
): EditedManifest {
  const formattingOptions = formattingOf(text);
  let edited = applyEdits(
    text,
    modify(text, [field, name], range, {
      formattingOptions,
      getInsertionIndex: (keys) =>
        placeOf(keys, field, name, hasField(text, field)),
    }),
  );
  if (field === "dependencies")
    edited = withoutDev(edited, name, formattingOptions);
  return { text: edited, line: lineOfEntry(edited, field, name) };
}

function withoutDev(
  text: string,
  name: string,
  formattingOptions: FormattingOptions,
): string {
  const manifest = parsed(text);
  const dev = manifest["devDependencies"];
  if (typeof dev !== "object" || dev === null || !Object.hasOwn(dev, name))
    return text;
  const path =
    Object.keys(dev).length === 1
      ? ["devDependencies"]
      : ["devDependencies", name];
  return applyEdits(text, modify(text, path, undefined, { formattingOptions }));
}

/** Returns the place before the first key that is greater. A new field comes after `dependencies`, or at the end. */
function placeOf(
  keys: readonly string[],
  field: Field,
  name: string,
  inField: boolean,
): number {
  if (!inField) {
    const before =
      field === "devDependencies" ? keys.indexOf("dependencies") : -1;
    return before < 0 ? keys.length : before + 1;
  }
  const next = keys.findIndex((key) => key > name);
  return next < 0 ? keys.length : next;
}

function hasField(text: string, field: Field): boolean {
  const value = parsed(text)[field];
  return typeof value === "object" && value !== null;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(text.replace(/^\uFEFF/, "")) as Readonly<
    Record<string, unknown>
  >;
}

function formattingOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

function lineOfEntry(text: string, field: Field, name: string): number {
  const start = text.indexOf(JSON.stringify(field));
  const at = text.indexOf(JSON.stringify(name), start);
  return text.slice(0, at).split("\n").length;
}

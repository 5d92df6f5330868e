import { setInJson } from "@skein/reporting/json-edit";

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
  let edited = setInJson(text, [field, name], range);
  if (field === "dependencies")
    edited = setInJson(edited, ["devDependencies", name], undefined);
  return { text: edited, line: lineOfEntry(edited, field, name) };
}

function lineOfEntry(text: string, field: Field, name: string): number {
  const start = text.indexOf(JSON.stringify(field));
  const at = text.indexOf(JSON.stringify(name), start);
  return text.slice(0, at).split("\n").length;
}

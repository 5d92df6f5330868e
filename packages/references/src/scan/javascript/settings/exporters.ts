import type { Collector } from "../../positions.js";

/** An export of a package in settings of GraphQL Code Generator. */
const EXPORTED = /^(@?[A-Za-z][\w./-]*)#[A-Za-z_]\w*$/;
const IS_CODEGEN = /\b(?:mappers|contextType|rootValueType|scalars)\b/;

/** Notes the package of such an export: `contextType: "x#Context"`. */
export function addExporter(
  text: string,
  offset: number,
  found: Collector,
): void {
  const [, name] = text.includes("#") ? (EXPORTED.exec(text) ?? []) : [];
  if (name !== undefined && IS_CODEGEN.test(found.text))
    found.add(name, "name-string", offset);
}

import { withSuffix, type Reference } from "../../../reference.js";

/** A manifest in a folder that the file knows, with or without its ending. */
const MANIFEST = /^\.{1,2}\/(?:[^]*\/)?package(?:\.json)?$/;
/** The manifest of an installed package. */
const MANIFEST_OF_PACKAGE = /^(?:@[\w.-]+\/)?[\w-][\w.-]*\/package\.json$/;
const NAME = String.raw`[A-Za-z_$][\w$]*`;
/** The names between braces: `{ version, name: own }`, `{ version as own }`. */
const NAMES = String.raw`\{([\w\s,:$]*)\}`;
/** The end of a statement. If a field or a call follows, it uses the value. */
const END = String.raw`(?=[ \t]*(?:[;\r\n]|$))`;

/**
 * Adds the fields that a program uses of the manifests that it loads: `version` of `import pkg from "../package.json"` if all
 * mentions of `pkg` are `pkg.version`. Changes of other fields then don't matter to it. The fields are the suffix of a reference
 * that isn't partial.
 * @param text the whole file
 */
export function withManifestFields(
  text: string,
  references: readonly Reference[],
): readonly Reference[] {
  return references.map((reference) => {
    const { kind, specifier, partial } = reference;
    if (kind !== "import" && kind !== "require") return reference;
    if (partial === true) return reference;
    if (!MANIFEST.test(specifier) && !MANIFEST_OF_PACKAGE.test(specifier))
      return reference;
    const fields = fieldsOf(text, specifier);
    return fields === undefined || fields.size === 0
      ? reference
      : {
          ...reference,
          specifier: withSuffix(specifier, [...fields].sort().join("/")),
        };
  });
}

/** Returns the fields that a program uses of a manifest; undefined if it may use any. */
function fieldsOf(
  text: string,
  specifier: string,
): ReadonlySet<string> | undefined {
  const words = specifier.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  const quoted = `(?:"${words}"|'${words}'|\`${words}\`)`;
  const loaded = String.raw`require\(\s*${quoted}\s*\)`;
  const names: string[] = [];
  const fields: string[] = [];
  const take = (rest: string, form: string, into: string[]) =>
    rest.replaceAll(new RegExp(form, "g"), (_, found: string) => {
      into.push(...firstWords(found));
      return "";
    });
  let rest = text;
  rest = take(rest, String.raw`\bimport\s+(${NAME})\s+from\s*${quoted}`, names);
  rest = take(rest, String.raw`\bimport\s*${NAMES}\s*from\s*${quoted}`, fields);
  rest = take(
    rest,
    String.raw`\b(?:const|let|var)\s+(${NAME})\s*=\s*${loaded}${END}`,
    names,
  );
  rest = take(
    rest,
    String.raw`\b(?:const|let|var)\s*${NAMES}\s*=\s*${loaded}${END}`,
    fields,
  );
  rest = take(rest, String.raw`${loaded}\s*\??\.\s*(${NAME})`, fields);
  // Any other mention may use the whole manifest.
  if (new RegExp(quoted).test(rest)) return undefined;
  for (const name of names) {
    const own = name.replaceAll("$", String.raw`\$`);
    rest = take(
      rest,
      String.raw`\b(?:const|let|var)\s*${NAMES}\s*=\s*${own}${END}`,
      fields,
    );
    rest = take(
      rest,
      String.raw`(?<![\w$.])${own}\s*\??\.\s*(${NAME})`,
      fields,
    );
    if (new RegExp(String.raw`(?<![\w$])${own}(?![\w$])`).test(rest))
      return undefined;
  }
  const isKnown = fields.every(
    (field) => /^[\w-]+$/.test(field) && field !== "default" && !(field in {}),
  );
  return isKnown ? new Set(fields) : undefined;
}

/** Returns the first word of each part of a list. */
function firstWords(list: string): readonly string[] {
  return list
    .split(",")
    .map((part) => part.trim().split(/[\s:]/)[0] ?? "")
    .filter((word) => word !== "");
}

import { parseSync } from "oxc-parser";
import {
  BARE_SIGN,
  beginningAndSuffix,
  FROM_PACKAGE,
  nameAndText,
  type Reference,
  STARTER,
} from "../reference.js";
import { fileKind } from "./file-kinds.js";
import { openScanner } from "./scanners.js";

const scanBytes = openScanner(parseSync);

/** Returns all facts of a file by line, each as `line kind specifier`; `fixtures/scan/README.md` describes the words. */
export function factsOf(path: string, text: string): readonly string[] {
  const kind = fileKind(path, "100644");
  if (!kind) throw new Error(`${path} is not read`);
  const { references, unparsed } = scanBytes(kind, Buffer.from(text));
  return [
    ...references
      .toSorted((a, b) => a.line - b.line)
      .map((found) => `${found.line} ${found.kind} ${inWords(found)}`),
    ...(unparsed === undefined ? [] : [`not parsed: ${unparsed}`]),
  ];
}

function inWords({ kind, specifier, partial }: Reference): string {
  if (kind === "script-text") return nameAndText(specifier).join(": ");
  if (kind === "program")
    return specifier === STARTER
      ? "unknown"
      : specifier.replace(BARE_SIGN, "perhaps ");
  const [beginning, suffix] = beginningAndSuffix(specifier);
  if (partial !== true)
    return suffix === "" ? specifier : `${beginning}, its fields ${suffix}`;
  const isFromPackage = beginning.startsWith(FROM_PACKAGE);
  return [
    `begins with ${isFromPackage ? beginning.slice(2) : beginning}`,
    ...(suffix === "" ? [] : [`ends with ${suffix}`]),
    ...(isFromPackage ? ["from here or from the package's folder"] : []),
  ].join(", ");
}

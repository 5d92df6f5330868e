import type { ParseError } from "jsonc-parser";
import type { Path } from "./manifest.js";

/** A manifest's value, and the positions of its parts. */
export interface ManifestSource {
  readonly value: unknown;
  /** Returns the line, 1-based, of the innermost existing part of a path. */
  lineOf(path: Path): number;
}

/** The text isn't JSON, or isn't YAML. */
export class ManifestSyntaxError extends Error {
  override readonly name = "ManifestSyntaxError";
  readonly line: number;

  constructor(sentence: string, line: number) {
    super(sentence);
    this.line = line;
  }
}

/** Parses JSON, or YAML if the file's name ends in `.yaml` or `.yml`. @throws {ManifestSyntaxError} */
export async function readManifestText(
  text: string,
  file: string,
): Promise<ManifestSource> {
  return /\.ya?ml$/i.test(file) ? readYaml(text) : readJson(text);
}

async function readJson(text: string): Promise<ManifestSource> {
  const { findNodeAtLocation, parseTree, getNodeValue, printParseErrorCode } =
    await import("jsonc-parser");
  const errors: ParseError[] = [];
  const body = text.replace(/^\uFEFF/, "");
  const tree = parseTree(body, errors, { disallowComments: true });
  const lineAt = (offset: number) => body.slice(0, offset).split("\n").length;
  const [error] = errors;
  if (error || !tree)
    throw new ManifestSyntaxError(
      `it isn't valid JSON: ${error ? wordsOf(printParseErrorCode(error.error)) : "it is empty"}`,
      lineAt(error?.offset ?? 0),
    );
  return {
    value: getNodeValue(tree) as unknown,
    lineOf(path) {
      for (let depth = path.length; depth > 0; depth--) {
        const node = findNodeAtLocation(tree, path.slice(0, depth));
        // A member's name precedes its value. It is on the line that people look for.
        if (node)
          return lineAt(
            (node.parent?.type === "property" ? node.parent : node).offset,
          );
      }
      return lineAt(tree.offset);
    },
  };
}

/** Splits an error code into words: `PropertyNameExpected` -> `property name expected` */
function wordsOf(code: string): string {
  return code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}

async function readYaml(text: string): Promise<ManifestSource> {
  const { isMap, isNode, isScalar, LineCounter, parseDocument } =
    await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error)
    throw new ManifestSyntaxError(
      `it isn't valid YAML: ${error.message.split("\n")[0]?.replace(/ at line.*$/, "") ?? ""}`,
      error.linePos?.[0].line ?? 1,
    );
  const lineAt = (offset: number | undefined) =>
    lines.linePos(offset ?? 0).line;
  return {
    // The library limits aliases to a hundred, which stops a "billion laughs" attack.
    value: document.toJS() as unknown,
    lineOf(path) {
      for (let depth = path.length; depth > 0; depth--) {
        const last = path[depth - 1];
        const around = document.getIn(path.slice(0, depth - 1), true);
        const parent = depth === 1 ? document.contents : around;
        if (isMap(parent)) {
          const key = parent.items.find(
            (item) => isScalar(item.key) && item.key.value === last,
          )?.key;
          if (isNode(key)) return lineAt(key.range?.[0]);
        }
        const node = document.getIn(path.slice(0, depth), true);
        if (isNode(node)) return lineAt(node.range?.[0]);
      }
      return 1;
    },
  };
}

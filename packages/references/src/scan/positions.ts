import type { Reference, ReferenceKind } from "../reference.js";

const INSTALLED =
  /(?:^|\/)node_modules\/((?:@[\w.-]+\/)?\w[\w.-]*)(?!.*\/node_modules\/)/;

/** Collects references by offset and gives them lines and columns, whatever the order they come in. */
export class Collector {
  readonly #found: {
    specifier: string;
    kind: ReferenceKind;
    offset: number;
    partial: boolean;
  }[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** A part of the text that is read. */
  slice(start: number, end: number): string {
    return this.#text.slice(start, end);
  }

  /** Notes one reference. An empty specifier, or one with control characters, names nothing. */
  add(
    specifier: string,
    kind: ReferenceKind,
    offset: number,
    partial = false,
  ): void {
    // eslint's no-control-regex would refuse a class of these: compare code units instead.
    for (let i = 0; i < specifier.length; i++)
      if (specifier.charCodeAt(i) < 32) return;
    if (specifier === "" || specifier.length > 4096) return;
    this.#found.push({ specifier, kind, offset, partial });
    // Where it is not a fixture, Yarn has put a package there, perhaps one of the workspace.
    const installed = INSTALLED.exec(specifier)?.[1];
    if (installed !== undefined && !partial)
      this.#found.push({
        specifier: installed,
        kind: "name-string",
        offset,
        partial,
      });
  }

  /** The references in order of place, each place, kind and specifier once. */
  references(): readonly Reference[] {
    this.#found.sort((a, b) => a.offset - b.offset);
    const seen = new Set<string>();
    const references: Reference[] = [];
    let line = 1;
    let lineStart = 0;
    let at = 0;
    for (const { specifier, kind, offset, partial } of this.#found) {
      for (; at < offset; at++) {
        if (this.#text.charCodeAt(at) !== 10) continue;
        line++;
        lineStart = at + 1;
      }
      const key = `${offset} ${kind} ${specifier}`;
      if (seen.has(key)) continue;
      seen.add(key);
      references.push({
        specifier,
        kind,
        line,
        column: offset - lineStart + 1,
        ...(partial && { partial }),
      });
    }
    return references;
  }
}

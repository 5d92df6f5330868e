import type { Reference, ReferenceKind } from "../reference.js";

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
    if (specifier !== "" && specifier.length <= 4096)
      this.#found.push({ specifier, kind, offset, partial });
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

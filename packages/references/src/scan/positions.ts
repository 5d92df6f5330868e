import {
  scriptText,
  withSuffix,
  type Reference,
  type ReferenceKind,
} from "../reference.js";

const INSTALLED =
  /(?:^|\/)node_modules\/((?:@[\w.-]+\/)?\w[\w.-]*)(\/|$|(?![\w.-]))(?!.*\/node_modules\/)/;
/** An installed program, which a workspace may provide. */
const PROGRAM = /(?:^|\/)node_modules\/\.bin\/([\w.-]+)$/;
/** A path in an installed package. */
const PLAIN_PATH = /^[\w.@-]+(?:\/[\w.@-]+)*$/;

/** A path that goes up from the folder of the package, or of its sources: `@site/../b/x`, `~/../b/x`. */
const FROM_ALIAS = /(?:^|!)(?:@site|~~?|@@?)?\/(\.\.\/.+)$/;

/** Properties that a path certainly has. */
export interface Certainty {
  /** It begins at the file's folder. */
  readonly fromFile?: boolean | undefined;
  /** The program only opens the file, and uses the path for nothing else. */
  readonly opened?: boolean | undefined;
  /** Nothing that the file refers to matters. */
  readonly searched?: boolean | undefined;
}

/** Kinds of complete references with fields of a manifest instead of an ending. */
const MANIFEST_KINDS: ReadonlySet<ReferenceKind> = new Set(["mock", "require"]);

interface Found {
  readonly specifier: string;
  readonly kind: ReferenceKind;
  readonly offset: number;
  readonly partial: boolean;
  readonly certain: Certainty;
}

/** Collects references by offset in any order, and computes their lines and columns. */
export class Collector {
  readonly #found: Found[] = [];
  readonly #offsets = new Set<number>();
  readonly #paths = new Set<number>();
  readonly #selections = new Set<number>();
  readonly #covered = new Set<number>();
  readonly #known = new Set<number>();
  readonly #opened = new Set<number>();
  /** The text of the file. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns whether a pattern with which settings select files begins at this offset. */
  isSelection(offset: number): boolean {
    return this.#selections.has(offset);
  }

  /** Notes that a pattern with which settings exclude files begins at this offset; it refers to none of them. */
  skip(offset: number): void {
    this.#selections.add(offset);
  }

  /** Notes that the pattern at this offset selects files that a program reads only to measure their coverage. */
  cover(offset: number): void {
    this.#covered.add(offset);
  }

  /** Notes that a program only opens the file whose path begins at this offset. */
  open(offset: number): void {
    this.#opened.add(offset);
  }

  /** Returns whether a path of unknown purpose begins at this offset, or nothing. */
  mayBePath(offset: number): boolean {
    return this.#paths.has(offset) || !this.#offsets.has(offset);
  }

  /** Returns whether a reference begins at this offset. */
  has(offset: number): boolean {
    return this.#offsets.has(offset);
  }

  /** Returns whether a reference begins at this offset of which more is known than that it may begin at the root. */
  isKnown(offset: number): boolean {
    return this.#known.has(offset);
  }

  /**
   * Notes one reference. It ignores an empty specifier, and one with control characters.
   * @param suffixes the ending of all targets of a partial specifier, if it is known, or the possible endings; of a module, the
   *   fields of the manifest that matter
   */
  add(
    specifier: string,
    kind: ReferenceKind,
    offset: number,
    partial = false,
    suffixes: string | readonly string[] = "",
    certain: Certainty = {},
  ): void {
    // The rule no-control-regex would refuse a class of these: compare code units instead.
    for (let i = 0; i < specifier.length; i++)
      if (specifier.charCodeAt(i) < 32) return;
    if (specifier === "" || specifier.length > 4096) return;
    this.#offsets.add(offset);
    if (kind !== "root-guess") this.#known.add(offset);
    if (kind === "path-string" || kind === "config") this.#paths.add(offset);
    if (kind === "selection" || kind === "coverage")
      this.#selections.add(offset);
    const hasSuffix = suffixes !== "" && (partial || MANIFEST_KINDS.has(kind));
    for (const suffix of hasSuffix ? [suffixes].flat() : [""]) {
      const whole = withSuffix(specifier, suffix);
      this.#push(whole, kind, offset, partial, certain);
    }
    const [, above] = specifier.includes("/../")
      ? (FROM_ALIAS.exec(specifier) ?? [])
      : [];
    if (above !== undefined) this.#push(above, "path-string", offset, partial);
    // Unless this is a fixture, Yarn has installed a package there, which may belong to the workspace.
    if (!specifier.includes("node_modules/")) return;
    const [, program] = PROGRAM.exec(specifier) ?? [];
    if (program !== undefined && !partial)
      this.#push(`bin ${program}`, "script-call", offset);
    const match = INSTALLED.exec(specifier);
    const [words = "", installed, end = ""] = match ?? [];
    if (installed === undefined || (partial && end !== "/")) return;
    const below = specifier.slice((match?.index ?? 0) + words.length);
    const isFile = !partial && end === "/" && PLAIN_PATH.test(below);
    const name = isFile ? `${installed}/${below}` : installed;
    this.#push(name, "name-string", offset);
  }

  #push(
    specifier: string,
    kind: ReferenceKind,
    offset: number,
    partial = false,
    certain: Certainty = {},
  ): void {
    this.#found.push({ specifier, kind, offset, partial, certain });
  }

  /**
   * Notes the words that a form finds in a text: the first group of each match, or all of it.
   * @param offset of the text
   * @param meant returns the specifier of the words
   */
  addMatches(
    text: string,
    form: RegExp,
    kind: ReferenceKind,
    offset = 0,
    meant = (words: string) => words,
  ): void {
    for (const { 0: whole, 1: words = whole, index } of text.matchAll(form))
      this.add(meant(words), kind, offset + index + whole.lastIndexOf(words));
  }

  /** Notes a script of a manifest with its whole text. */
  addScript(name: string, text: string, offset: number): void {
    this.#push(scriptText(name, text), "script-text", offset);
  }

  /** Notes all references of a part of the text, which begins at this offset. */
  addPart(part: Collector, offset: number): void {
    for (const one of part.#found)
      this.#found.push({ ...one, offset: offset + one.offset });
    for (const at of part.#offsets) this.#offsets.add(offset + at);
    for (const at of part.#paths) this.#paths.add(offset + at);
    for (const at of part.#selections) this.#selections.add(offset + at);
    for (const at of part.#known) this.#known.add(offset + at);
  }

  /**
   * Notes the paths below the file's folder once more, as paths below another folder: settings may move where their paths begin.
   * @param folder from the file's folder, with a slash at its end
   */
  addFrom(folder: string): void {
    for (const one of [...this.#found])
      if (one.specifier.startsWith("./") && one.certain.fromFile !== true)
        this.#found.push({
          ...one,
          specifier: folder + one.specifier.slice("./".length),
          kind: this.#kindAbove(one),
        });
  }

  /** Returns the kind of a pattern in a folder above: a program reads files there that it only selects below. */
  #kindAbove({ kind, offset }: Found): ReferenceKind {
    if (kind !== "selection") return kind;
    return this.#covered.has(offset) ? "coverage" : "glob";
  }

  /** Returns the references sorted by position, without duplicates of position, kind and specifier. */
  references(): readonly Reference[] {
    this.#found.sort((a, b) => a.offset - b.offset);
    const references: Reference[] = [];
    let line = 1;
    let lineStart = 0;
    let nextLine = this.text.indexOf("\n") + 1;
    this.#found.forEach((one, place) => {
      const { specifier, kind, offset, partial } = one;
      if (this.#isKnown(one, place)) return;
      while (nextLine > 0 && nextLine <= offset) {
        line++;
        lineStart = nextLine;
        nextLine = this.text.indexOf("\n", nextLine) + 1;
      }
      references.push({
        specifier,
        kind,
        line,
        column: offset - lineStart + 1,
        ...(partial && { partial }),
        ...(this.#isCertain("fromFile", one, place) && { fromFile: true }),
        ...((this.#opened.has(offset) ||
          this.#isCertain("opened", one, place)) && { opened: true }),
        ...(this.#isCertain("searched", one, place) && { searched: true }),
      });
    });
    return references;
  }

  /** Returns whether an equal reference occurs earlier among those of this offset. */
  #isKnown(one: Found, place: number): boolean {
    for (let i = place - 1; this.#found[i]?.offset === one.offset; i--)
      if (isEqual(one, this.#found[i])) return true;
    return false;
  }

  /** Returns whether something is certain of this reference, and of each equal one after it. */
  #isCertain(what: keyof Certainty, one: Found, place: number): boolean {
    for (let i = place; this.#found[i]?.offset === one.offset; i++)
      if (
        isEqual(one, this.#found[i]) &&
        this.#found[i]?.certain[what] !== true
      )
        return false;
    return true;
  }
}

function isEqual(
  { kind, specifier }: Found,
  other: Found | undefined,
): boolean {
  return other?.kind === kind && other.specifier === specifier;
}

import { REFERENCE_KINDS, type ReferenceKind } from "../../reference.js";
import {
  dirOf,
  keyOf,
  PATH_KINDS,
  resolveReference,
  TARGETLESS,
  type TargetlessKind,
} from "../../resolve.js";
import type { Nodes, Numbering } from "../table/nodes.js";
import {
  ALIASES,
  EXCLUSIONS,
  PARTIAL,
  PROGRAMS,
  ROOT_NODE,
  SCRIPT_CALLS,
  SCRIPT_NAMES,
  SCRIPT_TEXTS,
  VARIABLES,
} from "../table/table.js";

/** The nodes of kinds without a target, below the root of package names. */
const SPECIAL: Readonly<Record<TargetlessKind, string>> = {
  "tsconfig-paths": ALIASES,
  "script-name": SCRIPT_NAMES,
  "script-call": SCRIPT_CALLS,
  "script-text": SCRIPT_TEXTS,
  variable: VARIABLES,
  program: PROGRAMS,
  exclusion: EXCLUSIONS,
};

/** A path as steps from a folder: a number of steps up, then steps down by the numbers of names. */
interface Steps {
  readonly up: number;
  readonly down: readonly number[];
  /** True also if the specifier is only a beginning. */
  readonly isWhole: boolean;
}

/** The place of a file. */
export interface FilePlace {
  readonly path: string;
  /** The node of its folder. */
  readonly dir: number;
}

/** Kinds with which the same words mean something else. */
const OTHER_KINDS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  ...TARGETLESS,
  "tsconfig-reference",
  "root-path",
  "root-guess",
  "manifests",
  "manifest-list",
]);

/** Most relative paths: dots at the beginning only. A slash at the end means that the last name is complete. */
const PLAIN_PATH =
  /^(?:\.\/|(?:\.\.\/)+)(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*\/?$/;
/** A name that doesn't begin like a path, without the suffixes, loaders and schemes that aren't part of a name. */
const PLAIN_NAME = /^(?!.*:\.)[^.!?][^!?]*$/;

/**
 * Finds the nodes that references mean, by the rules of `resolveReference`. The same words occur in thousands of files: a
 * package's name always means the same, and a plain relative path is the same steps from each file's folder.
 */
export class Targets {
  readonly #nodes: Nodes;
  readonly #strings: Numbering<string>;
  /** By a specifier's number; null if the words aren't plain. */
  readonly #steps: (Steps | null | undefined)[] = [];
  readonly #packages: (number | null | undefined)[] = [];

  constructor(nodes: Nodes, strings: Numbering<string>) {
    this.#nodes = nodes;
    this.#strings = strings;
  }

  /**
   * Returns the node that a reference means, or -1.
   * @param specifier its string's number
   * @param info the kind's number, with PARTIAL
   */
  of(file: FilePlace, specifier: number, info: number): number {
    const kind = REFERENCE_KINDS[info & 0xff] ?? "path-string";
    if (OTHER_KINDS.has(kind))
      return this.#resolve(file.path, specifier, info, kind);
    const known = PATH_KINDS.has(kind) ? null : this.#packageOf(specifier);
    if (known !== null) return known;
    // Outside the project (`../x`), a step up has another meaning.
    const steps = file.path.startsWith(".") ? null : this.#stepsOf(specifier);
    if (steps && (steps.isWhole || (info & PARTIAL) === 0)) {
      const node = this.#walk(file.dir, steps);
      if (node >= 0) return node;
    }
    return this.#resolve(file.path, specifier, info, kind);
  }

  #packageOf(specifier: number): number | null {
    const known = this.#packages[specifier];
    if (known !== undefined) return known;
    const words = this.#strings.items[specifier] ?? "";
    return (this.#packages[specifier] = PLAIN_NAME.test(words)
      ? this.#resolve("", specifier, 0, "import")
      : null);
  }

  #stepsOf(specifier: number): Steps | null {
    const known = this.#steps[specifier];
    if (known !== undefined) return known;
    const words = this.#strings.items[specifier] ?? "";
    return (this.#steps[specifier] = PLAIN_PATH.test(words)
      ? this.#stepsIn(words)
      : null);
  }

  #stepsIn(words: string): Steps {
    const isWhole = words.endsWith("/");
    const parts = keyOf(isWhole ? words.slice(0, -1) : words).split("/");
    const names = parts.filter((part) => part !== "." && part !== "..");
    return {
      up: parts.filter((part) => part === "..").length,
      down: names.map((name) => this.#strings.of(name)),
      isWhole,
    };
  }

  #walk(dir: number, { up, down }: Steps): number {
    let node = dir;
    for (let i = 0; i < up; i++) {
      if (node === ROOT_NODE) return -1;
      node = this.#nodes.parents[node] ?? ROOT_NODE;
    }
    for (const name of down) node = this.#nodes.child(node, name);
    return node;
  }

  #resolve(
    path: string,
    specifier: number,
    info: number,
    kind: ReferenceKind,
  ): number {
    const target = resolveReference(path, {
      specifier: this.#strings.items[specifier] ?? "",
      kind,
      line: 1,
      column: 1,
      partial: (info & PARTIAL) !== 0,
    });
    if (!target) return -1;
    if (target.kind === "path") return this.#nodes.path(target.key);
    return this.#nodes.package(
      target.kind === "package" ? target.name : SPECIAL[target.kind],
    );
  }
}

/** The places of files in a tree's order: each folder's node is looked up once. */
export class FilePlaces {
  readonly #nodes: Nodes;
  #dir = "";
  #node = ROOT_NODE;

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
  }

  of(path: string): FilePlace {
    const dir = dirOf(path);
    if (dir !== this.#dir) {
      this.#node = this.#nodes.path(dir);
      this.#dir = dir;
    }
    return { path, dir: this.#node };
  }
}

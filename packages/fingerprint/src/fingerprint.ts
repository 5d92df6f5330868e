import { digest } from "./digest.js";
import type { Fact, FactKind, TreeFacts } from "./fact.js";
import {
  fold,
  hashFacts,
  hashKnown,
  splitTree,
  union,
  variablesIn,
} from "./fold.js";
import type { Surroundings } from "./surroundings.js";
import { hashRuntime, hashVariables, varyingNames } from "./surroundings.js";

/**
 * Raise this number if the same inputs result in another fingerprint, or if units turn out to depend on something that
 * no field contains. No earlier result is then found any more.
 */
export const FORMAT = 2;

/**
 * The fields of a fingerprint, in their order. Together they contain everything that can change the result of a unit.
 */
export const FIELDS = [
  /** The version of the fingerprint. */
  "format",
  /**
   * The names of package and script, and the arguments. The script's text is part of package.json, which is among the
   * files.
   */
  "unit",
  /**
   * Files that count for the script: the package's own, and files of the root and of other packages that it can read.
   */
  "files",
  /**
   * External packages: those that the package's dependencies lead to in yarn.lock, and those that it uses undeclared.
   */
  "externals",
  /** Fields and scripts of the root's package.json that the package's scripts read or call. */
  "root",
  /** The same facts of the packages that it depends on, as far as they matter for dependents. */
  "dependencies",
  /** Facts that matter for every package: the settings of Yarn and of Skein, files of the environment. */
  "everything",
  /** Node, Yarn, the operating system. */
  "runtime",
  /** The environment variables that any of these files name, and those of `cache.env`. */
  "variables",
] as const;
export type FieldName = (typeof FIELDS)[number];

/** One field of a fingerprint. */
export interface Field {
  readonly name: FieldName;
  /** SHA-256, in hexadecimal. */
  readonly hex: string;
}

/** A hash of everything that can change the result of one unit. */
export interface UnitFingerprint {
  /** `package#script`. */
  readonly unit: string;
  /** SHA-256 of the fields, in hexadecimal. */
  readonly hex: string;
  /** In the order of `FIELDS`. */
  readonly fields: readonly Field[];
  /** Environment variables in it whose values differ in each run of a CI. */
  readonly varying: readonly string[];
}

/** A script and its arguments. */
export interface UnitRequest {
  readonly script: string;
  readonly args: readonly string[];
}

/** The part of a fingerprint that depends only on a tree, so it can be cached under the tree's id. */
export interface TreeFingerprint {
  readonly files: string;
  readonly externals: string;
  readonly root: string;
  readonly dependencies: string;
  readonly everything: string;
  /** The names of the environment variables that count. Fingerprints may share one list. */
  readonly variables: readonly string[];
}

const KINDS: Readonly<
  Record<FactKind, "files" | "externals" | "root" | "variables">
> = {
  file: "files",
  "inner-package": "files",
  lockfile: "externals",
  external: "externals",
  "root-field": "root",
  "root-script": "root",
  variable: "variables",
};

/** Returns the field for a fact of a package. */
export function fieldOf({ kind }: Fact): FieldName {
  return KINDS[kind];
}

/**
 * Hashes the facts of a tree, package by package.
 * @returns by the name of a package; without packages for which the content of a file is unknown
 */
export function hashTree(
  whole: TreeFacts,
): ReadonlyMap<string, TreeFingerprint> {
  const tree = splitTree(whole);
  const folded = fold(tree);
  const found = new Map<string, TreeFingerprint>();
  const everything = hashFacts(tree.everything);
  const everywhere = { variables: new Set(variablesIn(tree.everything)) };
  const lists = new Map<ReadonlySet<string>, readonly string[]>();
  const listOf = (names: ReadonlySet<string>) => {
    let list = lists.get(names);
    if (!list) lists.set(names, (list = [...names].sort()));
    return list;
  };
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of tree.edges) {
    const known = targets.get(from);
    if (known) known.add(to);
    else targets.set(from, new Set([to]));
  }
  for (const [name, { own, spreading }] of whole.packages) {
    const facts = [...own, ...spreading];
    const hashField = (field: FieldName) =>
      hashFacts(facts.filter((fact) => fieldOf(fact) === field));
    const uses = Array.from(targets.get(name) ?? [], (to) => ({
      to,
      ...(folded(to) ?? { hex: "", variables: new Set<string>() }),
    }));
    const [files, externals, root] = [
      hashField("files"),
      hashField("externals"),
      hashField("root"),
    ];
    const dependencies = hashKnown(
      uses.map(({ to, hex }) => hex && digest([to, hex])),
    );
    if (
      files === undefined ||
      externals === undefined ||
      root === undefined ||
      dependencies === undefined ||
      everything === undefined
    )
      continue;
    const variables = listOf(union(variablesIn(facts), [everywhere, ...uses]));
    found.set(name, {
      ...{ files, externals, root, dependencies, everything, variables },
    });
  }
  return found;
}

const NAMES = FIELDS.join(" ");

/** Returns a function that completes the fingerprints of one script with the fields that don't depend on the tree. */
export function openFinisher(
  { script, args }: UnitRequest,
  surroundings: Surroundings,
): (name: string, tree: TreeFingerprint) => UnitFingerprint {
  const format = digest([`skein fingerprint ${FORMAT}`]);
  const runtime = hashRuntime(surroundings);
  const known = new Map<readonly string[], string>();
  const hashList = (names: readonly string[]) => {
    let hex = known.get(names);
    if (!hex) known.set(names, (hex = hashVariables(names, surroundings)));
    return hex;
  };
  return (name, { variables, ...tree }) => {
    const hexes: Readonly<Record<FieldName, string>> = {
      ...tree,
      format,
      unit: digest([name, script, ...args]),
      runtime,
      variables: hashList(variables),
    };
    return {
      unit: `${name}#${script}`,
      hex: digest([NAMES, ...FIELDS.map((field) => hexes[field])]),
      // Computed on demand, because most callers need only the hash of all fields.
      get fields() {
        return FIELDS.map((field) => ({ name: field, hex: hexes[field] }));
      },
      get varying() {
        return varyingNames(variables, surroundings);
      },
    };
  };
}

import { digest } from "./digest.js";
import type { Fact, FactKind, TreeFacts } from "./fact.js";
import {
  fold,
  hashFacts,
  hashKnown,
  splitAlone,
  union,
  variablesIn,
} from "./fold.js";
import type { Surroundings } from "./surroundings.js";
import { hashRuntime, hashVariables, varyingNames } from "./surroundings.js";

/**
 * Raise it when the same inputs come to another fingerprint, or when a unit turns out to hang on something that no field
 * holds: nothing that was kept before is then found again.
 */
export const FORMAT = 1;

/** Every field of a fingerprint, in its order: together they are all that can change the result of a unit. */
export const FIELDS = [
  /** The version of the fingerprint. */
  "format",
  /** The names of package and script, and the arguments. The script's text is a part of package.json, among the files. */
  "unit",
  /** Files that count for the script: the package's own, and files of the root and of other packages that it can read. */
  "files",
  /** External packages: what the package's dependencies lead to in yarn.lock, and what it uses undeclared. */
  "externals",
  /** Fields and scripts of the root's package.json that the package's scripts read or call. */
  "root",
  /** All of this again, of the packages that it depends on, as far as it concerns dependents. */
  "dependencies",
  /** What concerns every package: the settings of Yarn and of Skein, files of the environment. */
  "everything",
  /** Node, Yarn, the operating system. */
  "runtime",
  /** The environment variables that any of these files name, and those that `cache.env` names. */
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
  /** Environment variables that it holds, and whose values differ in each run of a CI. */
  readonly varying: readonly string[];
}

/** A script, and what it is called with. */
export interface UnitRequest {
  readonly script: string;
  readonly args: readonly string[];
}

/** The part of a fingerprint that a tree alone decides: it can be kept under the tree's id. */
export interface TreeFingerprint {
  readonly files: string;
  readonly externals: string;
  readonly root: string;
  readonly dependencies: string;
  readonly everything: string;
  /** Names of the environment variables that count. Fingerprints may share one list. */
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

/** Returns the field that a fact of a package enters. */
export function fieldOf({ kind }: Fact): FieldName {
  return KINDS[kind];
}

/**
 * Hashes the facts of a tree, package by package.
 * @returns by the name of a package; without those of which the content of a file is unknown
 */
export function hashTree(
  whole: TreeFacts,
): ReadonlyMap<string, TreeFingerprint> {
  const tree = splitAlone(whole);
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

/** Completes the fingerprints of one script with what is no part of the tree. */
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
      // Most callers ask for the one hash alone.
      get fields() {
        return FIELDS.map((field) => ({ name: field, hex: hexes[field] }));
      },
      get varying() {
        return varyingNames(variables, surroundings);
      },
    };
  };
}

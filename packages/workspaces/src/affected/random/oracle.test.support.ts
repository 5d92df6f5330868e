import { manifestOf } from "./toy-files.test.support.js";
import { FORMS, SCRIPTS } from "./toy.test.support.js";
import type { Toy, ToyPackage } from "./toy.test.support.js";

/** The settings that programs look up. Jest stops at the package's manifest, and doesn't find its own. Dependents use what Babel makes, and nothing that a test or a linter prints. */
const LOOKED_UP: Readonly<Record<string, readonly string[]>> = {
  jest: ["babel.config.json"],
  mocha: [".mocharc.json", "babel.config.json"],
  eslint: [".eslintrc.json", "babel.config.json"],
  babel: ["babel.config.json"],
};

/**
 * Returns the settings that a package's scripts may look up, and whether dependents use the result. An unknown program may be
 * any; if a build runs it, it may be Babel.
 * @param script the script that is asked for; undefined for any
 */
function lookups(
  { scripts }: ToyPackage,
  script: string | undefined,
  toy: Toy,
): readonly (readonly [file: string, spreads: boolean])[] {
  const texts = SCRIPTS[scripts] ?? {};
  return Object.entries(texts).flatMap(([name, text]) => {
    const [first = "", second = ""] = text.split(" ");
    const [program = ""] = first === "yarn" ? [texts[second]] : [first];
    const [word = ""] = program.split(" ");
    const known = LOOKED_UP[word];
    return (known ?? Object.keys(toy.settings)).flatMap((file) => {
      const isMade = known
        ? word === "babel"
        : name === "build" && file === "babel.config.json";
      const isAsked = script === undefined || name === script;
      return isAsked || isMade ? [[file, isMade] as const] : [];
    });
  });
}

/**
 * Returns everything that a package's scripts can see, by brute force: its own files; the files of all packages that it
 * depends on or imports, without their tests and what only these import, unless their source imports the test; external
 * packages with their dependencies; shared and vendored files; settings that programs look up.
 * @param script the script that is asked for; undefined for any
 */
export function closureOf(
  own: ToyPackage,
  toy: Toy,
  script: string | undefined,
): string {
  const named = new Map(toy.packages.map((each) => [each.name, each]));
  const importedBy = (each: ToyPackage, isTest: boolean) =>
    each.imports.filter(([, file]) => (file === "test") === isTest);
  const tested = importedBy(own, true);
  const seen = new Set<string>([own.name, ...tested.map(([name]) => name)]);
  const facts = new Set<string>([
    `own ${JSON.stringify([own.test, own.testUses, tested])}`,
  ]);
  const seeSettings = (each: ToyPackage) => {
    for (const [file, spreads] of lookups(each, script, toy))
      if (each === own || spreads) facts.add(`${file} ${toy.settings[file]}`);
  };
  const seeShared = (uses: readonly string[]) => {
    const shared = new Set(uses);
    for (const path of shared) {
      facts.add(JSON.stringify([path, toy.shared[path]]));
      for (const used of toy.shared[path]?.uses ?? []) shared.add(used);
      for (const name of toy.shared[path]?.imports ?? []) seen.add(name);
    }
  };
  seeShared(own.testUses);
  seeSettings(own);
  for (const name of seen) {
    const each = named.get(name);
    if (!each) {
      facts.add(`missing ${name}`);
      continue;
    }
    facts.add(
      JSON.stringify([
        name,
        each.dir,
        manifestOf(each, toy),
        each.source,
        each.uses,
        each.exposed,
        importedBy(each, false),
      ]),
    );
    for (const [imported] of importedBy(each, false)) seen.add(imported);
    seeSettings(each);
    if (each.vendored) facts.add(`vendored ${toy.vendored}`);
    for (const [on, form] of each.dependencies) {
      seen.add(on);
      // A link is to a folder with everything in it, including other packages.
      const linked = FORMS[form]?.[1] === "link" && named.get(on)?.dir;
      for (const inside of linked ? toy.packages : [])
        if (inside.dir.startsWith(`${linked}/`)) seen.add(inside.name);
    }
    seeShared(each.uses);
    const externals = new Set(
      each.externals.map(
        ([ident, range]) => `${ident}@${toy.versions[ident]?.[range]}`,
      ),
    );
    // Each of its ranges separately: exchanging two ranges is a change.
    for (const [ident, range] of each.externals)
      facts.add(`${name} ${ident} ${toy.versions[ident]?.[range]}`);
    for (const external of externals) {
      const release = toy.registry[external];
      facts.add(
        JSON.stringify([
          external,
          release,
          release?.dependencies.map((on) => toy.versions[on]?.["^1"]),
        ]),
      );
      for (const on of release?.dependencies ?? [])
        externals.add(`${on}@${toy.versions[on]?.["^1"]}`);
    }
  }
  return [...facts].toSorted().join("\n");
}

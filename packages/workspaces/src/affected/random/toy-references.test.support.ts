import type { Edge } from "../../graph.js";
import type { References } from "../input.js";
import { FILES } from "./toy-files.test.support.js";
import { SCRIPTS, type Toy, type ToyPackage } from "./toy.test.support.js";

/**
 * Returns the references of a toy's sources.
 * @param base packages that were removed can still be referred to
 */
export function referencesOf(toy: Toy, base: Toy): References {
  const referrer = (file: string, path: string) => ({
    file,
    line: 1,
    specifier: path,
  });
  const tests = new Set(toy.packages.map(({ dir }) => `${dir}/${FILES.test}`));
  const referrersOf = (path: string) => [
    ...toy.packages.flatMap(({ dir, uses, testUses }) => {
      const at = {
        source: `${dir}/${FILES.source}`,
        test: `${dir}/${FILES.test}`,
        exposed: `${dir}/${FILES.exposed}`,
        deep: `${dir}/${FILES.deep}`,
      };
      return [
        ...(uses.includes(path) || path === at.exposed ? [at.source] : []),
        ...(testUses.includes(path) ? [at.test] : []),
        ...(path === at.deep ? [at.exposed] : []),
      ].map((file) => referrer(file, path));
    }),
    ...Object.entries(toy.shared).flatMap(([file, { uses }]) =>
      uses.includes(path) ? [referrer(file, path)] : [],
    ),
  ];
  const names = new Set(
    [...toy.packages, ...base.packages].map(({ name }) => name),
  );
  return {
    edges: toy.packages.flatMap((each) => edgesOf(each, toy, names)),
    onwardOf: () => undefined,
    isOfYarn: () => false,
    listsFiles: () => false,
    usersOf: (path) =>
      referrersOf(path).map((each) => ({
        referrer: each,
        testOnly: tests.has(each.file),
      })),
    loadersOf: referrersOf,
    usersOfAside: (path) => (tests.has(path) ? [] : undefined),
    tsconfigFolders: new Set(),
    scriptsOf: (name) =>
      SCRIPTS[toy.packages.find((each) => each.name === name)?.scripts ?? 0],
    callersOf: () => new Set(),
    callsOfRootScript: () => [],
    ownerOfBin: () => undefined,
    referencesToExternal: () => [],
    languageUsersOf: () => new Set(),
    isClosed: () => false,
    shellOf: () => undefined,
    hasFile: () => false,
    namersOf: () => new Set(),
    unreadable: [],
  };
}

/** Returns one edge for each package that a package's files import undeclared, also through shared files. */
function edgesOf(
  { name, imports, uses, testUses, dependencies }: ToyPackage,
  toy: Toy,
  names: ReadonlySet<string>,
): Edge[] {
  const bySource = new Set([
    ...imports.flatMap(([to, file]) => (file === "test" ? [] : [to])),
    ...importedByShared(uses, toy),
  ]);
  const byTest = new Set([
    ...imports.flatMap(([to, file]) => (file === "test" ? [to] : [])),
    ...importedByShared(testUses, toy),
  ]);
  return [...new Set([...bySource, ...byTest])].flatMap((to): Edge[] => {
    const isDeclared = dependencies.some(([on]) => on === to);
    if (to === name || isDeclared || !names.has(to)) return [];
    const edge = { from: name, to, kind: "source", evidence: "x:1" } as const;
    return [bySource.has(to) ? edge : { ...edge, testOnly: true }];
  });
}

function importedByShared(uses: readonly string[], { shared }: Toy): string[] {
  const files = new Set(uses);
  for (const file of files)
    for (const used of shared[file]?.uses ?? []) files.add(used);
  return [...files].flatMap((file) => shared[file]?.imports ?? []);
}

/** Returns whether only packages use a shared file: it, and all shared files that use it, have users. */
export function isUsed(path: string, toy: Toy): boolean {
  const known = new Set(
    toy.packages.flatMap(({ uses, testUses }) => [...uses, ...testUses]),
  );
  for (const each of known)
    for (const used of toy.shared[each]?.uses ?? []) known.add(used);
  const users = new Set([path]);
  for (const each of users)
    for (const [file, { uses }] of Object.entries(toy.shared))
      if (uses.includes(each)) users.add(file);
  return [...users].every((each) => known.has(each));
}

import { expect, test } from "@jest/globals";
import type { Change } from "@skein/changes";
import fc from "fast-check";
import { memoryFiles, textOf } from "../memory-files.test.support.js";
import type { MemoryFiles } from "../memory-files.test.support.js";
import { readProject } from "../read-project.js";
import { defaultSettings } from "../settings/settings.js";
import { decideAffected } from "./affected.js";
import type { References } from "./input.js";
import { closureOf } from "./oracle.test.support.js";
import { filesOf } from "./toy-files.test.support.js";
import { change } from "./toy.test.support.js";
import type { Toy } from "./toy.test.support.js";

function changesBetween(base: MemoryFiles, head: MemoryFiles): Change[] {
  return [...new Set([...Object.keys(base), ...Object.keys(head)])].flatMap(
    (path): Change[] => {
      const [was, is] = [base, head].map((files) =>
        path in files ? textOf(files, path) : undefined,
      );
      if (was === is) return [];
      const kind =
        was === undefined ? "added" : is === undefined ? "deleted" : "modified";
      return [{ path, kind, origin: "committed" }];
    },
  );
}

/** What the sources of a toy refer to. */
function referencesOf(toy: Toy): References {
  const referrer = (file: string, path: string) => ({
    file,
    line: 1,
    specifier: path,
  });
  const referrersOf = (path: string) => [
    ...toy.packages.flatMap(({ dir, uses }) =>
      uses.includes(path) || path === `${dir}/src/exposed.test.ts`
        ? [referrer(`${dir}/src/index.ts`, path)]
        : [],
    ),
    ...Object.entries(toy.shared).flatMap(([file, { uses }]) =>
      uses.includes(path) ? [referrer(file, path)] : [],
    ),
  ];
  return {
    edges: [],
    usersOf: referrersOf,
    loadersOf: referrersOf,
    tsconfigFolders: new Set(),
    unreadable: 0,
  };
}

/** Whether packages alone use a shared file: neither it nor a shared file that uses it is one that nobody uses. */
function isUsed(path: string, toy: Toy): boolean {
  const known = new Set(toy.packages.flatMap(({ uses }) => uses));
  for (const each of known)
    for (const used of toy.shared[each]?.uses ?? []) known.add(used);
  const users = new Set([path]);
  for (const each of users)
    for (const [file, { uses }] of Object.entries(toy.shared))
      if (uses.includes(each)) users.add(file);
  return [...users].every((each) => known.has(each));
}

test("affected are the packages whose closure of contents changed: never fewer, and no more where no policy applies", async () => {
  const seen = { equal: 0, none: 0, some: 0 };
  await fc.assert(
    fc.asyncProperty(change, async ({ base, head }) => {
      const [was, is] = [filesOf(base), filesOf(head)];
      const changes = changesBetween(was, is);
      const touchedManifests = changes
        .map(({ path }) => path)
        .filter((path) => path.endsWith("/package.json"));
      const options = { touchedManifests, complete: false };
      const headProject = await readProject(memoryFiles(is), options);
      const baseProject = await readProject(memoryFiles(was), {
        ...options,
        sibling: headProject,
      });
      if (!headProject) throw new Error("there is a package.json");
      const { packages, everything } = decideAffected({
        base: baseProject,
        head: headProject,
        changes,
        unknown: [],
        settings: defaultSettings.affected,
        script: undefined,
        references: referencesOf(head),
      });
      const before = new Map(
        base.packages.map((each) => [each.name, closureOf(each, base)]),
      );
      const expected = head.packages
        .filter((each) => before.get(each.name) !== closureOf(each, head))
        .map(({ name }) => name)
        .toSorted();
      const got = [...packages.keys()]
        .filter((name) => name !== "root")
        .toSorted();
      expect(expected.filter((name) => !packages.has(name))).toEqual([]);
      // Policies: a shared file that nobody uses may concern everybody; a package inside another moves the border.
      const idle = changes.some(
        ({ path }) =>
          (path.startsWith("shared/") && !isUsed(path, head)) ||
          (path.startsWith("vendor/") &&
            !head.packages.some(({ vendored }) => vendored)),
      );
      const border = [was, is].some(
        (files, at) =>
          [was, is][1 - at]?.["packages/p0/inner/p5/package.json"] ===
            undefined &&
          files["packages/p0/inner/p5/package.json"] !== undefined,
      );
      seen[expected.length === 0 ? "none" : "some"]++;
      if (idle || border) return;
      seen.equal++;
      expect({ got, everything }).toEqual({ got: expected, everything: [] });
    }),
    { numRuns: 1000 },
  );
  // The generator makes cases of each sort, or the property says little.
  expect(Math.min(seen.equal, seen.some, seen.none * 10)).toBeGreaterThan(100);
}, 60_000);

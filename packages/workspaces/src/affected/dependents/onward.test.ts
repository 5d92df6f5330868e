import { expect, test } from "@jest/globals";
import { hashTree } from "@skein/fingerprint";
import fc from "fast-check";
import type { Edge } from "../../graph.js";
import { memoryFiles } from "../../memory-files.test.support.js";
import { readProject } from "../../read-project.js";
import { defaultSettings } from "../../settings/settings.js";
import { decideAffected } from "../affected.js";
import type { References } from "../input.js";
import { NO_REFERENCES } from "../no-references.test.support.js";
import { treeFacts } from "../tree-facts.js";

const NAMES = ["a", "b", "c", "d", "e"];
const name = fc.constantFrom(...NAMES);
const onward = fc.option(fc.subarray(NAMES), { nil: undefined });
/** A source, one in a folder, and settings, which take effect unread. */
const FILES = ["x.js", "deep/y.js", ".babelrc"];
const reads = fc.option(fc.subarray(["x", "deep/"]), { nil: undefined });

/** Dependencies of random packages; undeclared ones are edges of sources. */
const world = fc.record({
  edges: fc.uniqueArray(
    fc.record({
      from: name,
      to: name,
      isDeclared: fc.boolean(),
      testOnly: fc.boolean(),
      onward,
      reads,
    }),
    { maxLength: 12, selector: ({ from, to }) => from + to },
  ),
  changed: fc.record({ name, file: fc.constantFrom(...FILES) }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

function filesOf({ edges }: World, changed: World["changed"] | undefined) {
  const files: Record<string, string> = {
    "package.json": JSON.stringify({ name: "root", workspaces: ["*"] }),
  };
  for (const each of NAMES) {
    const dependencies = Object.fromEntries(
      edges
        .filter(({ from, isDeclared }) => from === each && isDeclared)
        .map(({ to }) => [to, "workspace:*"]),
    );
    files[`${each}/package.json`] = JSON.stringify({
      name: each,
      dependencies,
    });
    for (const file of FILES)
      files[`${each}/${file}`] =
        each === changed?.name && file === changed.file ? "changed" : "";
  }
  return files;
}

function referencesOf({ edges }: World): References {
  return {
    ...NO_REFERENCES,
    edges: edges
      .filter(({ isDeclared, from, to }) => !isDeclared && from !== to)
      .map(({ from, to, testOnly, onward: names, reads: read }): Edge => ({
        ...{ from, to, kind: "source", evidence: "x.js:1" },
        ...(testOnly && { testOnly }),
        ...(names && { onward: names }),
        ...(read && { reads: read.map((each) => `${to}/${each}`) }),
      })),
    onwardOf: (from, to) =>
      edges.find((edge) => edge.from === from && edge.to === to)?.onward,
  };
}

/**
 * Returns whether a walk from one package along its dependencies reaches the changed file. Behind an edge with `onward`, it
 * takes only edges to these packages; behind a declared one, also any declared edge.
 */
function leadsTo(from: string, { edges, changed }: World): boolean {
  const isRead = ({ isDeclared, reads: read }: World["edges"][number]) =>
    isDeclared ||
    changed.file.startsWith(".") ||
    read?.some((each) => changed.file.startsWith(each)) !== false;
  const real = edges.filter((edge) => edge.from !== edge.to);
  const seen = new Set<(typeof real)[number]>();
  const walk = (edge: (typeof real)[number]): boolean => {
    if (edge.to === changed.name && isRead(edge)) return true;
    if (seen.has(edge)) return false;
    seen.add(edge);
    return real.some(
      (next) =>
        next.from === edge.to &&
        (next.isDeclared || !next.testOnly) &&
        (edge.onward?.includes(next.to) !== false ||
          (edge.isDeclared && next.isDeclared)) &&
        walk(next),
    );
  };
  return (
    from === changed.name ||
    real.some((edge) => edge.from === from && walk(edge))
  );
}

test("a change follows an edge only if the files that the edge reads lead to it; fingerprints agree", async () => {
  const seen = { narrowed: 0, unread: 0, all: 0 };
  await fc.assert(
    fc.asyncProperty(world, async (each) => {
      const references = referencesOf(each);
      const projectOf = async (changed: World["changed"] | undefined) => {
        const files = filesOf(each, changed);
        const project = await readProject(memoryFiles(files), {
          touchedManifests: [],
          complete: true,
        });
        if (!project) throw new Error("there is a package.json");
        const common = {
          settings: defaultSettings.affected,
          script: undefined,
          references,
        };
        const facts = treeFacts({
          ...common,
          project,
          files: Object.entries(files).map(([path, state]) => ({
            path,
            state,
          })),
        });
        return { project, common, prints: hashTree(facts) };
      };
      const before = await projectOf(undefined);
      const after = await projectOf(each.changed);
      const { packages } = decideAffected({
        ...after.common,
        base: before.project,
        head: after.project,
        changes: [
          {
            path: `${each.changed.name}/${each.changed.file}`,
            kind: "modified",
            origin: "committed",
          },
        ],
        unknown: [],
      });
      const expected = NAMES.filter((one) => leadsTo(one, each));
      expect([...packages.keys()].toSorted()).toEqual(expected);
      const differing = NAMES.filter(
        (one) =>
          JSON.stringify(before.prints.get(one)) !==
          JSON.stringify(after.prints.get(one)),
      );
      expect(differing).toEqual(expected);
      const isMoreWithout = (field: "onward" | "reads") => {
        const edges = each.edges.map((edge) => ({
          ...edge,
          [field]: undefined,
        }));
        return NAMES.some(
          (one) => !expected.includes(one) && leadsTo(one, { ...each, edges }),
        );
      };
      seen.all++;
      if (isMoreWithout("onward")) seen.narrowed++;
      if (isMoreWithout("reads")) seen.unread++;
    }),
    { numRuns: 500 },
  );
  // The generator makes cases of both sorts, or the property says little.
  expect(Math.min(seen.narrowed, seen.unread)).toBeGreaterThan(5);
});

import { expect, test } from "@jest/globals";
import { hashTree } from "@skein/fingerprint";
import fc from "fast-check";
import { memoryFiles, textOf } from "../../memory-files.test.support.js";
import type { MemoryFiles } from "../../memory-files.test.support.js";
import { readProject } from "../../read-project.js";
import { defaultSettings } from "../../settings/settings.js";
import { decideToys } from "./decide-toys.test.support.js";
import { referencesOf } from "./toy-references.test.support.js";
import { change, type Toy } from "./toy.test.support.js";
import { treeFacts } from "../tree-facts.js";

async function fingerprintsOf(
  toy: Toy,
  files: MemoryFiles,
  script: string | undefined,
) {
  const project = await readProject(memoryFiles(files), {
    touchedManifests: [],
    complete: true,
  });
  if (!project) throw new Error("there is a package.json");
  return hashTree(
    treeFacts({
      project,
      files: Object.keys(files).map((path) => ({
        path,
        state: textOf(files, path),
      })),
      settings: defaultSettings.affected,
      script,
      references: referencesOf(toy, toy),
    }),
  );
}

// `SKEIN_LAW_RUNS=10000` with this file's path behind Jest's command tries as many pairs.
const numRuns = Number(process.env["SKEIN_LAW_RUNS"] ?? "200");

test("between two trees, exactly the affected packages have other fingerprints", async () => {
  const seen = { some: 0, none: 0 };
  await fc.assert(
    fc.asyncProperty(change, async ({ base, head, script }) => {
      const { was, is, packages } = await decideToys(base, head, script);
      const before = await fingerprintsOf(base, was, script);
      const after = await fingerprintsOf(head, is, script);
      const differing = [...after].flatMap(([name, fields]) =>
        JSON.stringify(before.get(name)) === JSON.stringify(fields)
          ? []
          : [name],
      );
      seen[differing.length === 0 ? "none" : "some"]++;
      expect(differing.toSorted()).toEqual([...packages.keys()].toSorted());
    }),
    { numRuns },
  );
  // The generator makes cases of both sorts, or the property says little.
  expect(Math.min(seen.some, seen.none * 10)).toBeGreaterThan(numRuns / 10);
});

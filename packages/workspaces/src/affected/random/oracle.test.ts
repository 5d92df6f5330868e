import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { decideToys } from "./decide-toys.test.support.js";
import { closureOf } from "./oracle.test.support.js";
import { isUsed } from "./toy-references.test.support.js";
import { change, SETTINGS } from "./toy.test.support.js";

test("every package whose closure of contents changed is affected, and no others are unless a policy applies", async () => {
  const seen = { equal: 0, none: 0, some: 0, settings: 0 };
  await fc.assert(
    fc.asyncProperty(change, async ({ base, head, script }) => {
      const { was, is, changes, packages, everything } = await decideToys(
        base,
        head,
        script,
      );
      const before = new Map(
        base.packages.map((each) => [each.name, closureOf(each, base, script)]),
      );
      const expected = head.packages
        .filter(
          (each) => before.get(each.name) !== closureOf(each, head, script),
        )
        .map(({ name }) => name)
        .toSorted();
      const got = [...packages.keys()]
        .filter((name) => name !== "root")
        .toSorted();
      expect(expected.filter((name) => !packages.has(name))).toEqual([]);
      // Policies: a shared file without users may concern every package; a package inside another moves the border.
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
      if (SETTINGS.some((file) => base.settings[file] !== head.settings[file]))
        seen.settings++;
      expect({ got, everything }).toEqual({ got: expected, everything: [] });
    }),
    { numRuns: 1000 },
  );
  // The generator makes cases of each sort, or the property says little.
  expect(
    Math.min(seen.equal, seen.some, seen.none * 10, seen.settings),
  ).toBeGreaterThan(100);
});

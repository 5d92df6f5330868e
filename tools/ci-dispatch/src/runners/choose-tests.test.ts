import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { chooseTests } from "./choose-tests.js";

const fileArb = fc.stringMatching(/^[a-z/]{1,5}$/).map((name) => `${name}.js`);

test("each test that Jest finds runs in exactly one shard, even if it isn't in the plan", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fileArb, { maxLength: 20 }),
      fc.array(fc.uniqueArray(fileArb, { maxLength: 5 }), {
        minLength: 1,
        maxLength: 4,
      }),
      (found, named) => {
        const seen = new Set<string>();
        const shards = named.map((files) =>
          files.filter((file) => !seen.has(file) && seen.add(file)),
        );
        const tests = found.map((file) => ({ path: `/ws/a/${file}` }));
        const chosen = shards.flatMap((_, mine) =>
          chooseTests(tests, { folder: "/ws/a", shards, mine, only: false }),
        );
        expect(chosen.map(({ path }) => path).sort()).toEqual(
          tests.map(({ path }) => path).sort(),
        );
      },
    ),
  );
});

test("a retry runs only the failed files", () => {
  const tests = ["/ws/a/x.js", "/ws/a/y.js"].map((path) => ({ path }));
  expect(
    chooseTests(tests, {
      folder: "/ws/a",
      shards: [["y.js"]],
      mine: 0,
      only: true,
    }),
  ).toEqual([{ path: "/ws/a/y.js" }]);
});

test("files that no shard names are distributed evenly over the shards", () => {
  const tests = ["a", "b", "c", "d", "e", "named"].map((name) => ({
    path: `/ws/a/${name}.js`,
  }));
  const shards = [["named.js"], []];
  const chosen = shards.map((_, mine) =>
    chooseTests(tests, { folder: "/ws/a", shards, mine, only: false }).map(
      ({ path }) => path.slice(6, -3),
    ),
  );
  expect(chosen).toEqual([
    ["a", "c", "e", "named"],
    ["b", "d"],
  ]);
});

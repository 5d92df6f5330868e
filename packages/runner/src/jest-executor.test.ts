import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { openZoo } from "./jest/zoo.test.kit.js";

const MODULES = fileURLToPath(
  new URL("../../../node_modules", import.meta.url),
);

test("packages share a process if each leaves it unchanged", async () => {
  const species = ["a", "b", "c"].map((name) => ({
    name,
    files: {
      // Node replaces this property when a program reads it for the first time.
      "a.test.js": `test("prints", () => { require("buffer").resolveObjectURL; require("fs").writeSync(1, "pid " + process.pid + "\\n"); });`,
      // Some programs put modules into the cache that Node has not loaded.
      "jest.config.js": `require.cache[__dirname + "/own.js"] = { exports: {} }; module.exports = {};`,
      "own.js": "/** @type {import('a')} */\n",
    },
    isBatched: true,
  }));
  await using zoo = await openZoo(species, MODULES);
  const { seen, batched } = await zoo.run({ batch: true, concurrency: 1 });
  expect(batched).toEqual(["a", "b", "c"]);
  const ids = [...seen.values()].map(
    ({ output }) => /^pid \d+$/m.exec(output)?.[0],
  );
  expect(new Set(ids)).toEqual(new Set([ids[0]]));
  expect(ids[0]).toBeDefined();
});

import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { openZoo } from "./jest/zoo.test.kit.js";

const MODULES = fileURLToPath(
  new URL("../../../node_modules", import.meta.url),
);

test("packages after which the process is as it was share one", async () => {
  const species = ["a", "b", "c"].map((name) => ({
    name,
    files: {
      "a.test.js": `test("prints", () => { require("fs").writeSync(1, "pid " + process.pid + "\\n"); });`,
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

import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { QUICK, SPECIES } from "./zoo.test.data.js";
import { openZoo } from "./zoo.test.kit.js";

const MODULES = fileURLToPath(
  new URL("../../../../node_modules", import.meta.url),
);

test("in a shared process, each package has the same result as in its own", async () => {
  const species = SPECIES.filter(({ name }) => QUICK.has(name));
  await using zoo = await openZoo(species, MODULES);
  // One package at a time, in the order of names: each runs in the process that the earlier ones have used.
  const batch = await zoo.run({ batch: true, concurrency: 1 });
  const alone = await zoo.run({ batch: false, concurrency: 2 });
  expect(batch.seen).toEqual(alone.seen);
  expect(batch.batched).toEqual(
    species
      .filter(({ isBatched }) => isBatched)
      .map(({ name }) => name)
      .sort(),
  );
  expect(alone.batched).toEqual([]);
});

import { expect, test } from "@jest/globals";
import { graphOf } from "../graph-of.test.support.js";

/** A program is closed only if it reads a file at its own place. */
const READS = `import { readFileSync } from "node:fs";
import { join } from "node:path";
console.log(readFileSync(join(import.meta.dirname, "x.json"), "utf8"));
`;

test.each<[title: string, more: string, isClosed: boolean]>([
  ["reads only that", "", true],
  ["loads another such program", `import "./other.mjs";`, true],
  ["loads a program that isn't closed", `import "./open.mjs";`, false],
  ["loads a program that can't be parsed", `import "./broken.mjs";`, false],
  ["loads a program that isn't in git", `import "./missing.mjs";`, false],
  [
    "reads a file of its package by a computed name",
    `readFileSync("data/" + process.env.NAME);`,
    true,
  ],
  [
    "reads a file of a folder beside the package, if it runs in the package",
    `readFileSync("../../extra/" + process.env.NAME);`,
    false,
  ],
  [
    "reads a file of a folder that contains packages",
    `readFileSync(join(import.meta.dirname, "..", process.env.NAME));`,
    false,
  ],
])("a program that %s", async (_, more, isClosed) => {
  const graph = await graphOf({
    a: {
      "program.mjs": READS + more,
      "other.mjs": READS,
      "open.mjs": `import "external";`,
      "broken.mjs": `${READS}const = 1;`,
    },
  });
  expect(graph.isClosed("packages/a/program.mjs")).toBe(isClosed);
});

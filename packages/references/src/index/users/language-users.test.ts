import { expect, test } from "@jest/globals";
import { graphOf, type Packages } from "../graph-of.test.support.js";

const START = `import { execSync } from "node:child_process";\n`;

test.each<[title: string, files: Packages, users: readonly string[]]>([
  ["no sources of the language", { a: { "a.js": "" } }, []],
  ["sources of the language", { a: { "src/lib.rs": "" } }, ["a"]],
  [
    "a command with one of its programs",
    { a: { "a.js": `${START}execSync("cargo build");` } },
    ["a"],
  ],
  [
    "a program's name alone, which may be an entry of a list",
    { a: { "a.js": `export default ["cargo"];` } },
    [],
  ],
  [
    "a program's name alone, beside a file that starts programs",
    {
      a: { "a.js": `export default ["cargo"];`, "b.js": START },
      b: { "b.js": START },
    },
    ["a"],
  ],
  [
    "a file of the root that a package reads",
    {
      ".": { "run.sh": "cargo build\n" },
      a: { "a.js": `${START}execSync("../../run.sh");` },
      b: { "b.js": "" },
    },
    ["a"],
  ],
])("programs of another language: %s", async (_, files, users) => {
  const graph = await graphOf(files);
  const found = graph.languageUsersOf(new Set(["cargo"]), [".rs"]);
  expect([...found].filter((name) => name !== "root")).toEqual(users);
});

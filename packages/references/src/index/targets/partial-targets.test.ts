import { expect, test } from "@jest/globals";
import { openGit } from "@skein/git";
import { buildHistory, gitIn, gitTestEnv, json, tempDir } from "@skein/testing";
import { readReferences } from "../../read-references.js";
import { edgesOf } from "../graph-of.test.support.js";

test("the beginning of a path may lead into a workspace that lies in the package itself", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    {
      files: {
        "package.json": json({ name: "root", workspaces: ["outer"] }),
        "outer/package.json": json({ name: "outer", workspaces: ["*"] }),
        "outer/load.js": `export const load = (x) => import("./su" + x);`,
        "outer/own.js": `import "./load.js";`,
        "outer/sub/package.json": json({ name: "sub" }),
        "outer/sub/index.js": "",
        "outer/other/package.json": json({ name: "other" }),
      },
    },
  ]);
  const graph = await readReferences({
    git: openGit({ cwd: dir.path, env: gitTestEnv }),
    tree: gitIn(dir.path, "rev-parse", "HEAD^{tree}").trim(),
    workspaces: [
      { name: "root", dir: ".", declared: new Set() },
      { name: "outer", dir: "outer", declared: new Set() },
      { name: "sub", dir: "outer/sub", declared: new Set() },
      { name: "other", dir: "outer/other", declared: new Set() },
    ],
  });
  // All that begins like this may be meant.
  expect(graph.edges().edges.map(({ from, to }) => `${from} -> ${to}`)).toEqual(
    ["outer -> sub"],
  );
});

test("a path below a folder above the package names a package there, and a type of content doesn't", async () => {
  const edges = await edgesOf({
    text: { "x.js": "" },
    path: { "x.js": `export const path = "text/dist/y.js";` },
    type: { "x.js": `export const type = "text/vnd.acme.cells";` },
  });
  expect(edges).toEqual(["path -> text"]);
});

test("foreach --worktree in a package means the packages in its folder", async () => {
  const edges = await edgesOf(
    { outer: {}, "outer/inner": {}, other: {} },
    {
      outer: { scripts: { build: "yarn workspaces foreach -Wpt run build" } },
    },
  );
  expect(edges).toEqual(["outer -> outer/inner"]);
});

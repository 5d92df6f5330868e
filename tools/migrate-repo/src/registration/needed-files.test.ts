import { expect, test } from "@jest/globals";
import { openGit } from "@skein/git";
import { buildHistory, gitTestEnv, json, tempDir } from "@skein/testing";
import { openDraft } from "../tree/draft.js";
import { neededToInstall } from "./needed-files.js";

const files = {
  "package.json": json({ name: "root", workspaces: ["packages/*"] }),
  "yarn.lock": "",
  ".yarnrc.yml": "nodeLinker: node-modules\nyarnPath: .yarn/releases/y.cjs\n",
  ".yarn/releases/y.cjs": "",
  "packages/a/src/index.js": "",
};

async function needed(
  manifest: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly string[] | "all"> {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    {
      files: {
        ...files,
        "packages/a/package.json":
          typeof manifest === "string" ? manifest : json(manifest),
        ...more,
      },
    },
  ]);
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  using draft = await openDraft(git, "HEAD", dir.path);
  const is = await neededToInstall(draft);
  const paths = (await draft.list("")).map(({ path }) => path);
  return is ? paths.filter(is) : "all";
}

test("manifests, top-level files and Yarn's own folder are enough", async () => {
  const ranges = {
    b: "^1.0.0",
    c: "workspace:^",
    d: "patch:d@npm%3A1.0.0#~/.yarn/patches/d.patch",
    e: "patch:e@1#optional!builtin<compat/e>",
    f: "git@github.com:a/b.git",
  };
  expect(await needed({ name: "a", dependencies: ranges })).toEqual([
    ".yarn/releases/y.cjs",
    ".yarnrc.yml",
    "package.json",
    "packages/a/package.json",
    "yarn.lock",
  ]);
});

test.each([
  [{ dependencies: { b: "file:./b.tgz" } }],
  [{ devDependencies: { b: "../b" } }],
  [{ devDependencies: { b: "portal:../b" } }],
  [{ resolutions: { b: "patch:b@npm%3A1.0.0#./patches/b.patch" } }],
  ["{"],
])("if a range may need files, all files are needed: %j", async (manifest) => {
  expect(await needed(manifest)).toBe("all");
});

test.each(["plugins:\n  - .yarn/plugins/p.cjs\n", "yarnPath: tools/y.cjs\n"])(
  "programs that run in an install may read anything: %j",
  async (rc) => {
    expect(await needed({ name: "a" }, { ".yarnrc.yml": rc })).toBe("all");
  },
);

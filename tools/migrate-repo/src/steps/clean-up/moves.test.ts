import { expect, test } from "@jest/globals";
import { gitIn, json, type Files } from "@skein/testing";
import { buildPair, migrate, workspaceFiles } from "../../migrate.test.kit.js";

/** Migrates, and returns the report and the files of the clean-up's commit. */
async function cleanUp(
  source: Files,
  target: Files,
  options: readonly string[] = [],
) {
  const pair = await buildPair(
    [{ files: source }],
    [{ files: { ...workspaceFiles, ...target } }],
  );
  const argv = ["add", "../lib", "--no-register", ...options];
  const { code, stdout, stderr } = await migrate(pair.target, argv);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return {
    stdout,
    show: (path: string) => gitIn(pair.target, "show", `HEAD:${path}`),
    list: (path: string) =>
      gitIn(pair.target, "ls-tree", "-r", "--name-only", "HEAD", path)
        .trim()
        .split("\n"),
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
}

const lib = { "package.json": json({ name: "@acme/lib", version: "1.0.0" }) };
const CHANGE = '---\n"@acme/lib": minor\n---\n\nFaster.\n';

test("unreleased changesets move to the workspace's without overwriting any; their settings are removed", async () => {
  await using it = await cleanUp(
    {
      ...lib,
      ".changeset/config.json": "{}\n",
      ".changeset/README.md": "# Changesets\n",
      ".changeset/brave-cats.md": CHANGE,
      ".changeset/odd-dogs.md": CHANGE,
    },
    {
      ".changeset/config.json": '{ "ours": true }\n',
      ".changeset/odd-dogs.md": "ours\n",
    },
  );
  expect(it.list(".changeset/")).toEqual([
    ".changeset/brave-cats.md",
    ".changeset/config.json",
    ".changeset/odd-dogs-lib.md",
    ".changeset/odd-dogs.md",
  ]);
  expect(it.list("packages/lib/")).toEqual(["packages/lib/package.json"]);
  expect(it.show(".changeset/odd-dogs.md")).toBe("ours\n");
  expect(it.show(".changeset/odd-dogs-lib.md")).toBe(CHANGE);
  expect(it.show(".changeset/config.json")).toBe('{ "ours": true }\n');
  expect(it.stdout).toContain(
    "done: Moved to the root's .changeset: 2 changesets.\n",
  );
});

test("if the workspace has no changesets, the package's stay, and no change is lost", async () => {
  await using it = await cleanUp(
    { ...lib, ".changeset/config.json": "{}\n", ".changeset/a.md": CHANGE },
    {},
  );
  expect(it.list("packages/lib/")).toEqual([
    "packages/lib/.changeset/a.md",
    "packages/lib/.changeset/config.json",
    "packages/lib/package.json",
  ]);
});

test("patches of dependencies are found at their new paths", async () => {
  const range = (base: string) =>
    `patch:left-pad@npm%3A1.3.0#${base}.yarn/patches/left-pad.patch`;
  await using it = await cleanUp(
    {
      "package.json": json({
        name: "@acme/lib",
        dependencies: {
          "left-pad": range("~/"),
          optional: "patch:x@1#optional!builtin<compat/x>",
          flagged: "patch:x@1#optional!~/x.patch&~/y.patch",
          own: "patch:x@1#./x.patch",
        },
        resolutions: { "left-pad": range("~/") },
      }),
      ".yarn/patches/left-pad.patch": "diff\n",
    },
    {},
  );
  const { dependencies } = JSON.parse(
    it.show("packages/lib/package.json"),
  ) as Record<string, unknown>;
  expect(dependencies).toEqual({
    "left-pad": range("~/packages/lib/"),
    optional: "patch:x@1#optional!builtin<compat/x>",
    flagged: "patch:x@1#optional!~/packages/lib/x.patch&~/packages/lib/y.patch",
    own: "patch:x@1#./x.patch",
  });
  expect(it.list("packages/lib/.yarn/")).toEqual([
    "packages/lib/.yarn/patches/left-pad.patch",
  ]);
  // The hoisted resolution applies to only this package, with the patch at its new path.
  expect(JSON.parse(it.show("package.json"))).toMatchObject({
    resolutions: { "@acme/lib/left-pad": range("~/packages/lib/") },
  });
});

test("npm's overrides are hoisted for this package only, and $name becomes its range; overrides of others are reported", async () => {
  await using it = await cleanUp(
    {
      "package.json": json({
        name: "@acme/lib",
        dependencies: { react: "^18.2.0", ms: "^2.0.0" },
        overrides: { react: "$react", ms: "2.1.3", minimist: "1.2.8" },
      }),
    },
    {},
  );
  expect(JSON.parse(it.show("package.json"))).toMatchObject({
    resolutions: { "@acme/lib/react": "^18.2.0", "@acme/lib/ms": "2.1.3" },
  });
  expect(it.stdout).toContain(
    'follow-up: packages/lib/package.json: overrides has minimist: "1.2.8", which Yarn does not read in a workspace. To apply it to all packages, add it to "resolutions" in the root\'s package.json.\n',
  );
});

test("with --only, an extended tsconfig is copied with those that it extends; its paths lead to the same files", async () => {
  await using it = await cleanUp(
    {
      "package.json": json({ name: "root" }),
      "tsconfig.json":
        '{\n  // ours\n  "extends": "./config/strict.json",\n  "compilerOptions": { "typeRoots": ["./types"], "paths": { "@acme/*": ["./packages/*/src"] } },\n  "include": ["packages/a/extra.d.ts"]\n}\n',
      "config/strict.json": json({
        extends: "@tsconfig/strictest",
        compilerOptions: { outDir: "../packages/a/out" },
      }),
      "tsconfig.test.json": "{}\n",
      "packages/a/package.json": json({ name: "@acme/a" }),
      "packages/a/tsconfig.json":
        '{\n  "extends": "../../tsconfig.json", // see there\n  "include": ["src"]\n}\n',
      "packages/a/src/tsconfig.json":
        '{ "extends": ["../tsconfig.json", "../../../tsconfig.test.json"] }\n',
    },
    { "tsconfig.test.json": '{ "ours": true }\n' },
    ["--only", "packages/a"],
  );
  expect(it.list("packages/a/")).toEqual([
    "packages/a/package.json",
    "packages/a/src/tsconfig.json",
    "packages/a/strict.json",
    "packages/a/tsconfig.base.json",
    "packages/a/tsconfig.json",
  ]);
  expect(it.show("packages/a/tsconfig.json")).toBe(
    '{\n  "extends": "./tsconfig.base.json", // see there\n  "include": ["src"]\n}\n',
  );
  expect(it.show("packages/a/tsconfig.base.json")).toBe(
    '{\n  // ours\n  "extends": "./strict.json",\n  "compilerOptions": { "typeRoots": ["../../types"], "paths": { "@acme/*": ["../*/src"] } },\n  "include": ["./extra.d.ts"]\n}\n',
  );
  expect(JSON.parse(it.show("packages/a/strict.json"))).toEqual({
    extends: "@tsconfig/strictest",
    compilerOptions: { outDir: "./out" },
  });
  // The step doesn't replace a file of the workspace at that place, but reports it.
  expect(it.show("packages/a/src/tsconfig.json")).toBe(
    '{ "extends": ["../tsconfig.json", "../../../tsconfig.test.json"] }\n',
  );
  expect(it.stdout).toContain(
    "done: Copied tsconfig.json of the source to packages/a/tsconfig.base.json: a migrated tsconfig extends it.\n",
  );
  expect(it.stdout).toContain(
    "warning: packages/a/src/tsconfig.json:1 names ../../../tsconfig.test.json, outside of the package: here that is the workspace's tsconfig.test.json.\n",
  );
  expect(it.stdout).toContain(
    "warning: packages/a/tsconfig.base.json:4 names ../../types, outside of the package: here that is types, which does not exist.\n",
  );
});

test("paths of a copied tsconfig are relative to the baseUrl of the one that extends it, and don't change", async () => {
  const paths = { "@acme/*": ["../*/src"] };
  await using it = await cleanUp(
    {
      "package.json": json({ name: "root" }),
      "tsconfig.packages.json": json({
        extends: "./tsconfig.strict.json",
        compilerOptions: { strict: true },
      }),
      "tsconfig.strict.json": json({ compilerOptions: { paths } }),
      "packages/a/package.json": json({ name: "@acme/a" }),
      "packages/a/tsconfig.json": json({
        extends: "../../tsconfig.packages.json",
        compilerOptions: { baseUrl: "./" },
      }),
      "packages/a/tsconfig.plain.json": json({
        extends: "../../tsconfig.packages.json",
      }),
    },
    { "packages/b/src/x.ts": "export {};\n" },
    ["--only", "packages/a"],
  );
  const extended = (path: string) =>
    (
      JSON.parse(it.show(`packages/a/${path}`)) as { extends: string }
    ).extends.replace("./", "");
  const strictOf = (path: string) =>
    JSON.parse(it.show(`packages/a/${extended(extended(path))}`)) as unknown;
  expect(strictOf("tsconfig.json")).toEqual({ compilerOptions: { paths } });
  // Without a `baseUrl`, paths are relative to the file's own folder, which has changed.
  expect(strictOf("tsconfig.plain.json")).toEqual({
    compilerOptions: { paths: { "@acme/*": ["../../../*/src"] } },
  });
  expect(it.stdout).toContain(
    "names ../*/src, outside of the package: here that is the workspace's packages/*/src.\n",
  );
});

test("with --only, files that settings name and that were left behind are follow-ups with their place; so are files that the source ignored", async () => {
  await using it = await cleanUp(
    {
      "package.json": json({ name: "root" }),
      ".gitignore": "packages/*/dist\n*.log\n.env\n",
      "jest.config.packages.js": "module.exports = {};\n",
      "jest.shared.js": "module.exports = {};\n",
      "scripts/release.sh": "exit 0\n",
      "types/global.d.ts": "export {};\n",
      "packages/a/.gitignore": "!.env\n",
      "packages/a/package.json": json({
        name: "@acme/a",
        scripts: { release: "../../scripts/release.sh a" },
      }),
      "packages/a/jest.config.js":
        "const base = require('../../jest.config.packages');\nrequire('../../jest.shared');\nrequire('../../nowhere');\nmodule.exports = base;\n",
      "packages/a/tsconfig.json": '{ "include": ["../../types", "./src"] }\n',
    },
    { ".gitignore": "*.log\n", "jest.shared.js": "module.exports = 1;\n" },
    ["--only", "packages/a=libs/deep/a"],
  );
  expect(
    it.stdout
      .split("\n")
      .filter((line) => /^ {2}(?:warning|follow-up): .*libs\/deep/.test(line)),
  ).toMatchInlineSnapshot(`
   [
     "  follow-up: libs/deep/a/jest.config.js:1 names ../../jest.config.packages, and jest.config.packages.js of the source was not migrated, so everything that needs it fails. Copy it to libs/jest.config.packages.js, with the files that it refers to, or change that line.",
     "  follow-up: libs/deep/a/jest.config.js:2 names ../../jest.shared, and jest.shared.js of the source was not migrated, so everything that needs it fails. Copy it to libs/jest.shared.js, with the files that it refers to, or change that line.",
     "  warning: libs/deep/a/jest.config.js:3 names ../../nowhere, outside of the package: here that is libs/nowhere, which does not exist.",
     "  follow-up: libs/deep/a/package.json:4 names ../../scripts/release.sh, and scripts/release.sh of the source was not migrated, so everything that needs it fails. Copy it to libs/scripts/release.sh, with the files that it refers to, or change that line.",
     "  follow-up: libs/deep/a/tsconfig.json:1 names ../../types, and the folder types of the source was not migrated, so everything that needs it fails. Copy the files that you need to libs/types, or change that line.",
     "  follow-up: To migrate these files too, with their history, use: --only packages/a=libs/deep/a jest.config.packages.js=libs/jest.config.packages.js jest.shared.js=libs/jest.shared.js scripts/release.sh=libs/scripts/release.sh types=libs/types.",
     "  follow-up: Ignored in the source, but not here: libs/deep/a/dist/out.js. Add them to a .gitignore here.",
   ]
  `);
});

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import {
  buildPair,
  libFiles,
  migrate,
  shown,
  workspaceFiles,
} from "../migrate.test.kit.js";

test("a sync reports what the clean-up and the registration would do with new files", async () => {
  await using pair = await buildPair(
    [
      {
        files: {
          ...libFiles,
          ".travis.yml": "script: npm test\n",
          CODEOWNERS: "* @a\n",
        },
      },
    ],
    [
      {
        files: {
          ...workspaceFiles,
          "packages/app/package.json": json({
            name: "@acme/app",
            version: "1.0.0",
            dependencies: { ms: "^2.1.0" },
          }),
          "yarn.lock": "",
        },
      },
    ],
  );
  await migrate(pair.target, ["add", "../lib", "--no-install"]);
  const files = {
    "package.json": json({
      name: "@acme/lib",
      version: "1.5.0",
      dependencies: { ms: "~2.1.3" },
    }),
    ".travis.yml": "script: npm run all\n",
    ".github/workflows/new.yml": "on: push\n",
    "package-lock.json": "{}\n",
    "index.js": 'require("debug");\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(pair.source, path)), { recursive: true });
    await writeFile(join(pair.source, path), text);
  }
  gitIn(pair.source, "add", "--all");
  gitIn(pair.source, "commit", "--quiet", "--message", "feat: more");
  const output = `@acme/lib: 1 new commit and 0 new tags of main.
Left to you, because a sync only merges:
  yarn install, and commit yarn.lock
    because packages/lib/package.json change the installed packages, and a sync does not run Yarn
  remove packages/lib/package-lock.json
    because a workspace has one yarn.lock; a nested one makes Yarn treat the folder as a separate project
  remove packages/lib/.github/workflows/new.yml
    because CI services read their files only at the top of the repository: here, these files would look active but never run
  debug is used in packages/lib/index.js:1, and its version is unknown
    because the package uses them but does not declare them: they happened to be installed, and may be missing or have a different version here
  packages/lib/package.json: ms ~2.1.3 -> ^2.1.0, as 1 workspace here; outside the package's own range
    because one version of each dependency in the workspace (--versions conform)
`;
  expect(await shown(pair.target, ["sync", "lib", "--dry-run"])).toBe(
    `0 stdout: ${output}`,
  );

  // If both sides changed the manifest, the merge is half done. The report then has everything that is readable.
  await writeFile(
    join(pair.target, "packages/lib/package.json"),
    json({ name: "@acme/lib", version: "9.0.0" }),
  );
  gitIn(pair.target, "commit", "--quiet", "--all", "--message", "local");
  const { code, stdout } = await migrate(pair.target, ["sync", "lib"]);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: `@acme/lib: 1 new commit and 0 new tags of main.
conflict: packages/lib/package.json
Left to you, because a sync only merges:
  yarn install, and commit yarn.lock
    because packages/lib/package.json change the installed packages, and a sync does not run Yarn
  remove packages/lib/package-lock.json
    because a workspace has one yarn.lock; a nested one makes Yarn treat the folder as a separate project
  remove packages/lib/.github/workflows/new.yml
    because CI services read their files only at the top of the repository: here, these files would look active but never run
  check the new dependencies
    because they could not be compared: cannot read the workspace: packages/lib/package.json:3: not JSON: a name in double quotes is missing
`,
  });
});

test("a sync skips the steps that the migration skipped, and follows its version policy", async () => {
  await using pair = await buildPair(
    [{ files: libFiles }],
    [
      {
        files: {
          ...workspaceFiles,
          "packages/app/package.json": json({
            name: "@acme/app",
            version: "1.0.0",
            dependencies: { ms: "^2.1.0" },
          }),
        },
      },
    ],
  );
  await migrate(pair.target, [
    ...["add", "../lib", "--no-install", "--versions", "keep"],
    ...["--skip", "lockfiles"],
  ]);
  await writeFile(join(pair.source, "package-lock.json"), "{}\n");
  await writeFile(join(pair.source, ".travis.yml"), "script: npm test\n");
  await writeFile(
    join(pair.source, "package.json"),
    json({
      name: "@acme/lib",
      version: "1.5.0",
      dependencies: { ms: "~2.1.3" },
    }),
  );
  gitIn(pair.source, "add", "--all");
  gitIn(pair.source, "commit", "--quiet", "--message", "feat: more");
  const kept = `@acme/lib: 1 new commit and 0 new tags of main.
Left to you, because a sync only merges:
  remove packages/lib/.travis.yml
    because CI services read their files only at the top of the repository: here, these files would look active but never run
  packages/lib/package.json: ms keeps ~2.1.3; ^2.1.0 in 1 workspace here
    because the package keeps its own ranges (--versions keep)
`;
  expect(await shown(pair.target, ["sync", "lib", "--dry-run"])).toBe(
    `0 stdout: ${kept}`,
  );
});

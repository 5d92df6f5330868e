import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, json, type Files, rootManifest } from "@skein/testing";
import { steps } from "../steps/index.js";
import {
  buildPair,
  fingerprint,
  migrate,
  type Pair,
} from "../migrate.test.kit.js";
import { startRegistry, type Registry } from "./registry.test.kit.js";

/** Published versions, newest last: a fresh install would use the newest. */
const published = {
  "chalk@4.0.0": { "ansi-styles": "^4.1.0" },
  "chalk@4.1.0": { "ansi-styles": "^4.1.0" },
  "ansi-styles@4.1.0": { "color-convert": "^2.0.0" },
  "ansi-styles@4.3.0": { "color-convert": "^2.0.0" },
  "color-convert@2.0.0": {},
  "color-convert@2.0.1": {},
  "lodash@3.10.0": {},
  "lodash@3.10.1": {},
  "lodash@4.17.20": {},
  "lodash@4.17.21": {},
  "ms@2.1.0": {},
  "ms@2.1.2": {},
  "ms@2.1.3": {},
  "react@18.3.1": {},
  "type-fest@4.0.0": {},
  "type-fest@4.1.0": {},
};

const noCleanUp =
  steps.length === 0 ? [] : ["--skip", ...steps.map(({ id }) => id)];

const app = {
  name: "@acme/app",
  version: "1.0.0",
  dependencies: { "@acme/lib": "^1.2.0", lodash: "^4.17.20", ms: "^2.1.2" },
  devDependencies: { react: "18.3.1" },
};

test("a package with its own lockfile is registered: links, versions, phantoms and its resolutions", async () => {
  await using registry = await startRegistry(published);
  await using pair = await buildPair(
    [
      {
        files: {
          "package.json": `{
    "name": "@acme/lib",
    "version": "2.0.0",
    "dependencies": { "chalk": "^4.0.0", "lodash": "^3.10.0" },
    "devDependencies": { "@acme/app": "^1.0.0", "ms": "^2.1.0" },
    "peerDependencies": { "react": "^17.0.0" }
}
`,
          "index.js":
            'require("chalk"); require("node:fs"); require("fs");\nrequire("color-convert/route");\n/** @type {import("type-fest").Opaque} */\nlet x;\nimport("nowhere");\n',
          "package-lock.json": json({
            name: "@acme/lib",
            lockfileVersion: 3,
            packages: {
              "": {
                dependencies: { chalk: "^4.0.0", lodash: "^3.10.0" },
                devDependencies: { "@acme/app": "^1.0.0", ms: "^2.1.0" },
              },
              "node_modules/chalk": {
                version: "4.0.0",
                resolved: "https://registry.npmjs.org/chalk/-/chalk-4.0.0.tgz",
                dependencies: { "ansi-styles": "^4.1.0" },
              },
              "node_modules/ansi-styles": {
                version: "4.1.0",
                resolved:
                  "https://registry.npmjs.org/ansi-styles/-/ansi-styles-4.1.0.tgz",
                dependencies: { "color-convert": "^2.0.0" },
              },
              "node_modules/color-convert": {
                version: "2.0.0",
                resolved:
                  "https://registry.npmjs.org/color-convert/-/color-convert-2.0.0.tgz",
              },
              "node_modules/lodash": {
                version: "3.10.0",
                resolved:
                  "https://registry.npmjs.org/lodash/-/lodash-3.10.0.tgz",
              },
              "node_modules/ms": {
                version: "2.1.0",
                resolved: "https://registry.npmjs.org/ms/-/ms-2.1.0.tgz",
              },
              "node_modules/type-fest": {
                version: "4.0.0",
                resolved:
                  "https://registry.npmjs.org/type-fest/-/type-fest-4.0.0.tgz",
              },
            },
          }),
        },
      },
    ],
    [
      {
        files: {
          "package.json": `{
  "name": "monorepo",
  "private": true,
  "workspaces": ["apps/*"]
}
`,
          ".gitignore": "node_modules\n.yarn\n",
          ".yarnrc.yml": registry.yarnrc,
          "apps/app/package.json": json({
            ...app,
            dependencies: { lodash: "^4.17.20", ms: "^2.1.2" },
          }),
          "yarn.lock": "",
        },
      },
    ],
  );
  const { target } = pair;
  await registry.yarn(target, "install");
  await writeFile(join(target, "apps/app/package.json"), json(app));
  // An unpublished version can't be locked: the app names the package before it exists.
  gitIn(target, "commit", "--quiet", "-am", "locked");
  const before = gitIn(target, "show", "HEAD:yarn.lock");
  const { code, stdout, stderr } = await migrate(
    target,
    ["add", "../lib", ...noCleanUp],
    { env: registry.env },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(
    stdout.replaceAll(pair.dir, "DIR").replaceAll(/\b[0-9a-f]{12}\b/g, "ID"),
  ).toMatchInlineSnapshot(`
   "Migrate DIR/lib (main at ID)
     package      @acme/lib
     into         packages/lib
     on           main at ID
     history      graft: 1 commit, 3 files
     tags         none
     then
       package.json: workspaces + packages/lib
         because no glob in the root's \`workspaces\` matches the destination (--skip workspaces)
       apps/app/package.json: @acme/lib ^1.2.0 -> workspace:^ (does not match 2.0.0)
       packages/lib/package.json: @acme/app ^1.0.0 -> workspace:^
       @acme/app requested @acme/lib ^1.2.0 and now gets 2.0.0: check for breaking changes.
         because Yarn links a plain range only if it matches the workspace's version; otherwise, it still installs the published copy (--skip links)
       packages/lib/package.json: dependencies + color-convert ^2.0.0 (the version in its own lockfile; used in packages/lib/index.js:2)
       packages/lib/package.json: devDependencies + type-fest ^4.0.0 (the version in its own lockfile; used in packages/lib/index.js:3)
       nowhere is used in packages/lib/index.js:5, and its version is unknown
         because the package uses them but does not declare them: they happened to be installed, and may be missing or have a different version here (--skip phantoms)
       packages/lib/package.json: lodash keeps ^3.10.0; ^4.17.20 in 1 workspace here is a different major version
       packages/lib/package.json: ms ^2.1.0 -> ^2.1.2, as 1 workspace here
       @acme/lib has react ^17.0.0 as a peer, which does not match the workspace's 18.3.1
         because one version of each dependency in the workspace (--versions conform) (--skip versions)
       yarn.lock: gets 6 versions from package-lock.json
       yarn install and yarn constraints in a temporary checkout; no script of a package runs
       missing peers of its dependencies are declared, because the source's package manager installed them automatically
         because the migration must not change resolved versions, of this package or of others (--skip install)
   Migrated @acme/lib in 0 ms: 1 commit by 1 author, 0 merges, 0 tags.
     proved       1 commit with exactly the files of their originals
     packed       packages/lib: as in the source
     ID Migrate lib
     ID Register @acme/lib in the workspace
     done: The root's workspaces now also contain packages/lib.
     done: Linked to the workspace: @acme/lib in @acme/app, @acme/app in @acme/lib.
     warning: @acme/app requested @acme/lib ^1.2.0 and now gets 2.0.0: check for breaking changes.
     done: Declared: packages/lib/package.json: dependencies + color-convert ^2.0.0 (the version in its own lockfile; used in packages/lib/index.js:2).
     done: Declared: packages/lib/package.json: devDependencies + type-fest ^4.0.0 (the version in its own lockfile; used in packages/lib/index.js:3).
     follow-up: nowhere is used in packages/lib/index.js:5, and its version is unknown: yarn workspace @acme/lib add nowhere
     follow-up: packages/lib/package.json: lodash keeps ^3.10.0; ^4.17.20 in 1 workspace here is a different major version (debt of @acme/lib, which has no owner in CODEOWNERS).
     done: packages/lib/package.json: ms ^2.1.0 -> ^2.1.2, as 1 workspace here.
     warning: @acme/lib has react ^17.0.0 as a peer, which does not match the workspace's 18.3.1. Peers are never rewritten.
     done: yarn install: done; no resolution of the workspace changed; 5 resolutions of package-lock.json copied into yarn.lock, 1 version of 6 packages changed.
     warning: ms 2.1.0 -> 2.1.3: it follows the workspace's range.
   Nothing is pushed. To push: git push; the record: git push origin 'refs/migrate/*'
   To go back: migrate-repo undo @acme/lib
   "
  `);
  expect(gitIn(target, "show", "HEAD:packages/lib/package.json"))
    .toMatchInlineSnapshot(`
   "{
       "name": "@acme/lib",
       "version": "2.0.0",
       "dependencies": {
           "chalk": "^4.0.0",
           "color-convert": "^2.0.0",
           "lodash": "^3.10.0"
       },
       "devDependencies": {
           "@acme/app": "workspace:^",
           "ms": "^2.1.2",
           "type-fest": "^4.0.0"
       },
       "peerDependencies": {
           "react": "^17.0.0"
       }
   }
   "
  `);
  expect(gitIn(target, "diff", "HEAD~1", "HEAD", "--", "package.json", "apps"))
    .toMatchInlineSnapshot(`
   "diff --git a/apps/app/package.json b/apps/app/package.json
   index 7ee94f6..09cb234 100644
   --- a/apps/app/package.json
   +++ b/apps/app/package.json
   @@ -2,7 +2,7 @@
      "name": "@acme/app",
      "version": "1.0.0",
      "dependencies": {
   -    "@acme/lib": "^1.2.0",
   +    "@acme/lib": "workspace:^",
        "lodash": "^4.17.20",
        "ms": "^2.1.2"
      },
   diff --git a/package.json b/package.json
   index 88c9519..013c4fc 100644
   --- a/package.json
   +++ b/package.json
   @@ -2,6 +2,7 @@
      "name": "monorepo",
      "private": true,
      "workspaces": [
   -    "apps/*"
   +    "apps/*",
   +    "packages/lib"
      ]
    }
   "
  `);
  const after = gitIn(target, "show", "HEAD:yarn.lock");
  const resolutions = (text: string) =>
    [...text.matchAll(/^ {2}resolution: "(.*)"$/gm)].map(([, one]) => one);
  expect(resolutions(after)).toEqual(
    expect.arrayContaining(
      resolutions(before).filter((one) => !one?.includes("workspace:")),
    ),
  );
  expect(resolutions(after)).toMatchInlineSnapshot(`
   [
     "@acme/app@workspace:apps/app",
     "@acme/lib@workspace:packages/lib",
     "ansi-styles@npm:4.1.0",
     "chalk@npm:4.0.0",
     "color-convert@npm:2.0.0",
     "lodash@npm:3.10.0",
     "lodash@npm:4.17.21",
     "monorepo@workspace:.",
     "ms@npm:2.1.3",
     "react@npm:18.3.1",
     "type-fest@npm:4.0.0",
   ]
  `);
  // Yarn would write exactly the files that landed.
  await registry.yarn(target, "install", "--immutable");
  expect(gitIn(target, "status", "--porcelain")).toBe("");
});

/** Builds a workspace with a lockfile, and a package that needs a package of the registry. */
async function locked(
  registry: Registry,
  source: Files,
  more: Files = {},
): Promise<Pair> {
  const pair = await buildPair(
    [{ files: source }],
    [
      {
        files: {
          "package.json": rootManifest("monorepo"),
          ".gitignore": "node_modules\n.yarn\n",
          ".yarnrc.yml": registry.yarnrc,
          "packages/app/package.json": json({
            name: "@acme/app",
            version: "1.0.0",
            dependencies: { ms: "^2.1.2" },
          }),
          "yarn.lock": "",
          ...more,
        },
      },
    ],
  );
  await registry.yarn(pair.target, "install", "--mode=update-lockfile");
  gitIn(pair.target, "commit", "--quiet", "-am", "locked");
  return pair;
}

const notes = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => /^ {2}(?:done|warning|follow-up): /.test(line));

test("if Yarn fails, nothing is merged, the workspace is unchanged, and the hint works", async () => {
  await using registry = await startRegistry(published);
  await using pair = await locked(registry, {
    "package.json": json({
      name: "@acme/lib",
      version: "1.0.0",
      dependencies: { "not-published": "^1.0.0" },
    }),
  });
  const before = await fingerprint(pair.target);
  const failed = await migrate(pair.target, ["add", "../lib", ...noCleanUp], {
    env: registry.env,
  });
  expect(failed.code).toBe(3);
  expect(failed.stderr.split(registry.url).join("REGISTRY"))
    .toMatchInlineSnapshot(`
   "migrate-repo: Yarn cannot install the workspace with the package in it: YN0035 not-published@npm:^1.0.0: Package not found | YN0035 Response Code: 404 (Not Found) | YN0035 Request Method: GET | YN0035 Request URL: REGISTRY/not-published | YN0035 Request Retry Count: 0 (can be increased via httpRetry)
   hint: nothing was merged; fix that and start again, or update yarn.lock later with \`yarn install\`: --no-install
   "
  `);
  expect(await fingerprint(pair.target)).toEqual(before);
  const lock = gitIn(pair.target, "show", "HEAD:yarn.lock");
  const done = await migrate(
    pair.target,
    ["add", "../lib", "--no-install", ...noCleanUp],
    { env: registry.env },
  );
  expect({ code: done.code, notes: notes(done.stdout) }).toEqual({
    code: 0,
    notes: [
      "  follow-up: yarn.lock was left as it was (--no-install): run `yarn install` and commit it.",
    ],
  });
  expect(gitIn(pair.target, "show", "HEAD:yarn.lock")).toBe(lock);
});

test("the versions in pnpm's lockfile are used although it has no ranges of transitive dependencies; constraints", async () => {
  await using registry = await startRegistry(published);
  await using pair = await locked(
    registry,
    {
      "package.json": json({
        name: "@acme/lib",
        version: "1.0.0",
        dependencies: { chalk: "^4.0.0", lodash: "^4.17.20" },
        resolutions: { lodash: "4.17.20" },
      }),
      "pnpm-lock.yaml": `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      chalk: { specifier: ^4.0.0, version: 4.0.0 }
      lodash: { specifier: ^4.17.20, version: 4.17.20 }
packages:
  ansi-styles@4.1.0: {}
  chalk@4.0.0: {}
  color-convert@2.0.0: {}
  lodash@4.17.20: {}
`,
    },
    {
      "yarn.config.cjs":
        'module.exports = { constraints: async ({ Yarn }) => { for (const w of Yarn.workspaces()) w.set("license", "MIT"); } };\n',
    },
  );
  const { code, stdout, stderr } = await migrate(
    pair.target,
    ["add", "../lib"],
    { env: registry.env },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(
    notes(stdout).map((line) => line.replace(/ fixes what it can\. .*/, "")),
  ).toMatchInlineSnapshot(`
   [
     "  done: yarn install: done; no resolution of the workspace changed; 3 resolutions of pnpm-lock.yaml copied into yarn.lock, 0 versions of 4 packages changed.",
     "  warning: yarn constraints: broken; \`yarn constraints --fix\`",
   ]
  `);
  const resolutions = [
    ...gitIn(pair.target, "show", "HEAD:yarn.lock").matchAll(
      /^ {2}resolution: "(.*@npm:.*)"$/gm,
    ),
  ].map(([, one]) => one);
  expect(resolutions).toEqual([
    "ansi-styles@npm:4.1.0",
    "chalk@npm:4.0.0",
    "color-convert@npm:2.0.0",
    "lodash@npm:4.17.20",
    "ms@npm:2.1.3",
  ]);
});

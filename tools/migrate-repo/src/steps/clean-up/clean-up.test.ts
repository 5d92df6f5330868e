import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import { buildPair, migrate, workspaceFiles } from "../../migrate.test.kit.js";

/** Files that a repository collects over time, each for one step. */
const collected = {
  "package.json": json({
    name: "@acme/lib",
    version: "1.4.0",
    packageManager: "npm@8.0.0",
    repository: "github:acme/lib",
    scripts: { prepare: "husky install", test: "node --test" },
    dependencies: { mkdirp: "^0.5.1" },
    devDependencies: { husky: "^8.0.0" },
    "lint-staged": { "*": "eslint" },
    release: { branches: ["main"] },
    renovate: { extends: ["config:base"] },
    engines: { node: "<18", npm: ">=8" },
    jest: { rootDir: ".." },
    resolutions: { mkdirp: "0.5.5", minimist: "1.2.8" },
  }),
  "index.js": "module.exports = 1;\n",
  "package-lock.json": "{}\n",
  "examples/demo/package-lock.json": "{}\n",
  ".npmrc": "save-exact=true\n//npm.example.com/:_authToken=${NPM_TOKEN}\n",
  ".yarnrc.yml": "# ours\nnodeLinker: pnp\n",
  ".npmignore": "test\n",
  ".gitignore": "/dist\n.env\n*.tsbuildinfo\n",
  ".husky/pre-commit":
    '#!/bin/sh\n. "$(dirname "$0")/_/husky.sh"\nnpx lint-staged\n',
  ".github/workflows/ci.yml":
    "on: push\njobs:\n  test:\n    steps:\n      - uses: actions/checkout@v4\n      - uses: acme/scan@v1\n      - run: |\n          npm ci\n          npm test\n",
  ".travis.yml": "language: node_js\nscript: npm run e2e\n",
  ".github/dependabot.yml": "version: 2\n",
  ".github/CODEOWNERS": "# owners\n* @acme/core\n/src/ @bob\n*.css @eve\n",
  ".releaserc.json": "{}\n",
  ".gitattributes": "[attr]generated  -diff\nsrc/x.js generated\n*.txt text\n",
  ".gitmodules":
    '[submodule "v/s"]\n\tpath = vendor/s\n\turl = https://example.com/s.git\n',
  ".mailmap": "# names\nAda <ada@example.com> <a@old.example>\n",
  ".lfsconfig": "[lfs]\n\turl = https://user:pw@lfs.example.com/lib\n",
  "tsconfig.json": json({
    extends: "../tsconfig.base.json",
    compilerOptions: { typeRoots: ["./node_modules/@types"] },
  }),
  "win.txt": "a\r\nb\r\n",
  "bin.dat": "a\r\nb\r\n",
  "src/x.js": "1\n",
};

const target = {
  ...workspaceFiles,
  "package.json": json({
    name: "monorepo",
    private: true,
    workspaces: ["packages/*"],
    engines: { node: ">=20" },
  }),
  ".gitignore": "node_modules\nsrc\n",
  ".gitattributes": "* text=auto\n",
  ".mailmap": "Bob <bob@example.com>",
  ".github/CODEOWNERS": "* @acme/all\n",
  "tsconfig.base.json": "{}\n",
};

test("files that belong to a separate repository are removed, hoisted or reported", async () => {
  await using pair = await buildPair(
    [{ files: collected }],
    [{ files: target }],
  );
  const first = gitIn(pair.source, "rev-parse", "HEAD").trim();
  await writeFile(
    join(pair.source, ".git-blame-ignore-revs"),
    `# format\n${first}\n${"1".repeat(40)}\n`,
  );
  gitIn(pair.source, "add", ".git-blame-ignore-revs");
  gitIn(pair.source, "commit", "--quiet", "-m", "ignore revs");
  gitIn(
    pair.target,
    "remote",
    "add",
    "origin",
    "https://github.com/acme/mono.git",
  );
  const { code, stdout, stderr } = await migrate(
    pair.target,
    "add ../lib --no-register",
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(
    stdout.replaceAll(pair.dir, "DIR").replaceAll(/\b[0-9a-f]{12}\b/g, "ID"),
  ).toMatchInlineSnapshot(`
   "Migrate DIR/lib (main at ID)
     package      @acme/lib
     into         packages/lib
     on           main at ID
     history      graft: 2 commits, 23 files
     tags         none
     then
       CRLF -> LF in packages/lib/win.txt
         because the .gitattributes here mark these as text, which git stores with LF: otherwise they would appear as changed (--skip line-endings)
       remove packages/lib/package-lock.json
         because a workspace has one yarn.lock; a nested one makes Yarn treat the folder as a separate project (--skip lockfiles)
       remove packages/lib/.npmrc, packages/lib/.yarnrc.yml
         because Yarn also reads the settings of the folder it is called in: they would apply only in this package (--skip manager-settings)
       remove packages/lib/.husky/pre-commit
       packages/lib/package.json: remove lint-staged
       packages/lib/package.json: remove scripts.prepare
       packages/lib/package.json: remove devDependencies.husky
         because git has one set of hooks for the whole repository; an install of this package's would replace the workspace's (--skip git-hooks)
       remove packages/lib/.github/workflows/ci.yml, packages/lib/.travis.yml
         because CI services read their files only at the top of the repository: here, these files would look active but never run (--skip ci)
       remove packages/lib/.github/dependabot.yml
       packages/lib/package.json: remove renovate
         because bots that update dependencies read their settings at the top of the repository only (--skip update-bots)
       remove packages/lib/.releaserc.json
       packages/lib/package.json: remove release
         because they release a whole repository: here, they would count all commits and tags as this package's (--skip release-tools)
       .gitattributes: + [attr]generated -diff
         because git reads macro attributes only from the top-level .gitattributes (--skip attributes)
       .gitmodules: + packages/lib/v/s
       remove packages/lib/.gitmodules
         because git reads .gitmodules at the top of the repository only (--skip submodules)
       .mailmap: + 1 line of packages/lib/.mailmap
         because git reads .mailmap only at the top of the repository (--skip mailmap)
       packages/lib/.lfsconfig: stays, and is reported
         because git-lfs reads .lfsconfig only at the top, where it would apply to every package (--skip lfs-settings)
       .git-blame-ignore-revs: + those of packages/lib/.git-blame-ignore-revs, with their new ids
         because blame.ignoreRevsFile and GitHub use the file at the top, and its commits were rewritten (--skip blame-ignore-revs)
       .github/CODEOWNERS: + 4 lines of packages/lib/.github/CODEOWNERS, below the package
       remove packages/lib/.github/CODEOWNERS
         because GitHub reads only the repository's CODEOWNERS (--skip codeowners)
       packages/lib/package.json: repository -> acme/mono, packages/lib
       packages/lib/package.json: remove packageManager
       package.json: resolutions + @acme/lib/mkdirp: 0.5.5
       packages/lib/package.json: remove resolutions
       packages/lib/package.json: packageManager was "npm@8.0.0"; the root's applies.
       packages/lib/package.json: engines.node is <18, and the workspace's >=20: no version satisfies both.
       packages/lib/package.json: engines.npm is >=8; Yarn installs this workspace.
       packages/lib/package.json: resolutions has minimist: "1.2.8", which Yarn does not read in a workspace. To apply it to all packages, add it to "resolutions" in the root's package.json.
         because they describe a separate repository; package managers read some of them only in the root (--skip manifest-fields)
       packages/lib/.npmignore -> "files": [".gitattributes",".lfsconfig","bin.dat","dist","examples","index.js","src","tsconfig.json","win.txt"]
         because a list of packed files cannot publish a file by accident; it replaces .npmignore only if npm packs the same files (--skip npmignore)
       keep packages/lib/.gitignore
         because they are read from their own folder, so the same files are ignored, packed and formatted as before (--skip kept-settings)
       packages/lib/package.json:20 names .., outside of the package: here that is the workspace's folder packages.
       packages/lib/tsconfig.json:2 names ../tsconfig.base.json, outside of the package: here that is packages/tsconfig.base.json, which does not exist.
       packages/lib/tsconfig.json:5 names ./node_modules/@types: Yarn installs most packages into the root's node_modules, or nowhere (PnP); use the package's name instead.
         because nothing was above the package in the source; here, the workspace is above it (--skip outside-paths)
       The workspace's ignore rule .gitignore:2:src matches packages/lib/src/x.js: tracked files stay, but git ignores new files next to them.
         because a rule of the workspace also applies below it (--skip ignore-rules)
   Migrated @acme/lib in 0 ms: 2 commits by 1 author, 0 merges, 0 tags.
     proved       2 commits with exactly the files of their originals
     packed       packages/lib: as in the source, without 10 files that the clean-up removed
     ID Migrate lib
     ID Normalise line endings below packages/lib
     ID Clean up packages/lib for the workspace
     follow-up: packages/lib/.npmrc contained save-exact=true; //npm.example.com/:_authToken= (not shown): move what you still need to the root's .yarnrc.yml.
     follow-up: packages/lib/.yarnrc.yml contained nodeLinker: pnp: move what you still need to the root's .yarnrc.yml.
     follow-up: packages/lib/.husky/pre-commit ran: npx lint-staged.
     follow-up: lint-staged in package.json was {"*":"eslint"}.
     follow-up: packages/lib/.github/workflows/ci.yml (test) ran: uses acme/scan@v1; npm ci; npm test. Make sure that the workspace's CI runs the same.
     follow-up: packages/lib/.travis.yml ran: npm run e2e. Make sure that the workspace's CI runs the same.
     follow-up: packages/lib/.github/dependabot.yml contained: version: 2. The workspace's settings apply now.
     follow-up: renovate in package.json was {"extends":["config:base"]}.
     follow-up: packages/lib/.releaserc.json was removed: release the package the way the workspace does.
     follow-up: release in package.json was {"branches":["main"]}: release the package as the workspace does.
     follow-up: Everyone must run: git submodule sync && git submodule update --init
     follow-up: packages/lib/.lfsconfig is not read here. It contains: [lfs] url = https://lfs.example.com/lib. Push the package's LFS objects to this repository's server.
     warning: .git-blame-ignore-revs: 1 id belongs to no rewritten commit and did not change.
     follow-up: .github/CODEOWNERS: make sure that the owners of the package have write access to this repository; otherwise, GitHub ignores their lines.
     done: packages/lib/package.json: packageManager was "npm@8.0.0"; the root's applies.
     warning: packages/lib/package.json: engines.node is <18, and the workspace's >=20: no version satisfies both.
     follow-up: packages/lib/package.json: engines.npm is >=8; Yarn installs this workspace.
     follow-up: packages/lib/package.json: resolutions has minimist: "1.2.8", which Yarn does not read in a workspace. To apply it to all packages, add it to "resolutions" in the root's package.json.
     done: packages/lib/.npmignore became "files": npm packs the same 9 files. If they exist, .env, *.tsbuildinfo are no longer packed. New files at the top are packed once "files" names them.
     warning: packages/lib/package.json:20 names .., outside of the package: here that is the workspace's folder packages.
     warning: packages/lib/tsconfig.json:2 names ../tsconfig.base.json, outside of the package: here that is packages/tsconfig.base.json, which does not exist.
     warning: packages/lib/tsconfig.json:5 names ./node_modules/@types: Yarn installs most packages into the root's node_modules, or nowhere (PnP); use the package's name instead.
     warning: The workspace's ignore rule .gitignore:2:src matches packages/lib/src/x.js: tracked files stay, but git ignores new files next to them.
   Nothing is pushed. To push: git push; the record: git push origin 'refs/migrate/*'
   To go back: migrate-repo undo @acme/lib
   "
  `);
  const show = (path: string) => gitIn(pair.target, "show", `HEAD:${path}`);
  expect(gitIn(pair.target, "ls-files", "packages/lib")).toMatchInlineSnapshot(`
   "packages/lib/.gitattributes
   packages/lib/.gitignore
   packages/lib/.lfsconfig
   packages/lib/bin.dat
   packages/lib/examples/demo/package-lock.json
   packages/lib/index.js
   packages/lib/package.json
   packages/lib/src/x.js
   packages/lib/tsconfig.json
   packages/lib/win.txt
   "
  `);
  expect(show("packages/lib/package.json")).toMatchInlineSnapshot(`
   "{
     "name": "@acme/lib",
     "version": "1.4.0",
     "repository": {
       "type": "git",
       "url": "git+https://github.com/acme/mono.git",
       "directory": "packages/lib"
     },
     "scripts": {
       "test": "node --test"
     },
     "dependencies": {
       "mkdirp": "^0.5.1"
     },
     "engines": {
       "node": "<18",
       "npm": ">=8"
     },
     "jest": {
       "rootDir": ".."
     },
     "files": [
       ".gitattributes",
       ".lfsconfig",
       "bin.dat",
       "dist",
       "examples",
       "index.js",
       "src",
       "tsconfig.json",
       "win.txt"
     ]
   }
   "
  `);
  expect(
    [
      "package.json",
      ".gitattributes",
      ".gitmodules",
      ".mailmap",
      ".git-blame-ignore-revs",
      ".github/CODEOWNERS",
      "packages/lib/.gitattributes",
    ]
      .map((path) => `== ${path}\n${show(path)}`)
      .join("")
      .replace(
        gitIn(pair.target, "rev-list", "--max-parents=0", "HEAD~2^2").trim(),
        "FIRST",
      ),
  ).toMatchInlineSnapshot(`
   "== package.json
   {
     "name": "monorepo",
     "private": true,
     "workspaces": [
       "packages/*"
     ],
     "engines": {
       "node": ">=20"
     },
     "resolutions": {
       "@acme/lib/mkdirp": "0.5.5"
     }
   }
   == .gitattributes
   [attr]generated -diff
   * text=auto
   == .gitmodules
   [submodule "packages/lib/v/s"]
   	path = packages/lib/vendor/s
   	url = https://example.com/s.git
   == .mailmap
   Bob <bob@example.com>
   Ada <ada@example.com> <a@old.example>
   == .git-blame-ignore-revs
   # format
   FIRST
   1111111111111111111111111111111111111111
   == .github/CODEOWNERS
   * @acme/all
   # owners
   /packages/lib/ @acme/core
   /packages/lib/src/ @bob
   /packages/lib/**/*.css @eve
   == packages/lib/.gitattributes
   src/x.js generated
   *.txt text
   "
  `);
  expect(gitIn(pair.target, "diff", "--stat", "HEAD~2", "HEAD~1"))
    .toMatchInlineSnapshot(`
   " packages/lib/win.txt | 4 ++--
    1 file changed, 2 insertions(+), 2 deletions(-)
   "
  `);
  expect(gitIn(pair.target, "status", "--porcelain")).toBe("");
});

import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  shown,
} from "../migrate.test.kit.js";
import { renderFinish } from "./render-finish.js";

test("the remaining work at the source is printed as commands and texts to copy", () => {
  expect(
    renderFinish({
      source: "acme/lib",
      sourceSlug: "acme/lib",
      targetSlug: "acme/mono",
      packages: [
        {
          dir: "packages/lib",
          name: "@acme/lib",
          homeName: "acme-lib",
          isPrivate: false,
          namesWorkspace: true,
        },
        {
          dir: "packages/kit",
          name: "@acme/kit",
          homeName: "@acme/kit",
          isPrivate: false,
          namesWorkspace: false,
        },
        {
          dir: "packages/site",
          name: "@acme/site",
          homeName: "@acme/site",
          isPrivate: true,
          namesWorkspace: false,
        },
      ],
      checkedAt: "0123456789abcdef",
    }),
  ).toBe(`
Remaining work in acme/lib (all of it can be undone):
1. Put this at the top of its README:

   > **Moved.** This project now lives in acme/mono, with all of its history:
   >
   > - [\`@acme/lib\`](https://github.com/acme/mono/tree/HEAD/packages/lib)
   > - [\`@acme/kit\`](https://github.com/acme/mono/tree/HEAD/packages/kit)
   > - [\`@acme/site\`](https://github.com/acme/mono/tree/HEAD/packages/site)
   >
   > Issues: <https://github.com/acme/mono/issues>. Pull requests: <https://github.com/acme/mono/pulls>.

2. Bring its open pull requests (https://github.com/acme/lib/pulls): migrate-repo sync @acme/lib --transplant
3. Transfer its open issues (https://github.com/acme/lib/issues), which leaves redirects:
   gh issue list --repo acme/lib --limit 9999 --json number --jq '.[].number' |
     xargs -I N gh issue transfer N acme/mono --repo acme/lib
4. Set the repository in the manifests to this workspace, because npm's page shows it:
   packages/kit/package.json: "repository": { "type": "git", "url": "git+https://github.com/acme/mono.git", "directory": "packages/kit" }
5. Publish a version from here: @acme/kit keeps its name, so nothing has to be deprecated.
6. Once @acme/lib is published, point its users to it: npm deprecate acme-lib "Moved to @acme/lib"
7. Point its page to the workspace:
   gh repo edit acme/lib --description "Moved to acme/mono" --homepage https://github.com/acme/mono/tree/HEAD/packages/lib
8. Finally, archive it: gh repo archive acme/lib
Checked at 0123456789ab.
`);
});

test("finish first reports new commits in the source and missing ones in the workspace", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  await migrate(pair.target, [
    "add",
    "../lib",
    "--name",
    "@acme/new-lib",
    ...historyOnly.filter((id) => id !== "manifest-fields"),
  ]);
  const { code, stdout } = await migrate(pair.target, ["finish", "new-lib"]);
  const head = gitIn(pair.target, "rev-parse", "HEAD").slice(0, 12);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: [
      "@acme/new-lib is up to date with its source.",
      "@acme/new-lib: nothing is missing. 1 commit with exactly the files of their originals, 0 tags, log and blame of 2 files as in the source.",
      "As recorded: the packed files of 1 package, 0 resolutions of yarn.lock; no other resolution has changed.",
      "",
      `Remaining work in ${pair.source} (all of it can be undone):`,
      "1. Put this at the top of its README:",
      "",
      "   > **Moved.** This project now lives in the workspace, with all of its history:",
      "   >",
      "   > - `@acme/new-lib`: packages/new-lib",
      "",
      "2. Move or close its open issues and pull requests.",
      "3. Set the repository in the manifests to this workspace, because npm's page shows it:",
      '   packages/new-lib/package.json: "repository": { "type": "git", "url": "git+https://github.com/OWNER/NAME.git", "directory": "packages/new-lib" }',
      '4. Once @acme/new-lib is published, point its users to it: npm deprecate @acme/lib "Moved to @acme/new-lib"',
      "5. Make it read-only where it is hosted.",
      `Checked at ${head}.`,
      "",
    ].join("\n"),
  });
  gitIn(pair.source, "commit", "--quiet", "--allow-empty", "-m", "more");
  expect(await shown(pair.target, ["finish", "new-lib"])).toBe(
    "1 stdout: @acme/new-lib: 1 new commit and 0 new tags of main.\n stderr: migrate-repo: the source has new commits since the last sync\nhint: merge them first: migrate-repo sync @acme/new-lib\n",
  );
});

test("commands to copy contain only valid package names", async () => {
  await using pair = await buildPair([
    { files: { "package.json": json({ name: "$(touch pwned)" }) } },
  ]);
  await migrate(pair.target, "add ../lib --name lib --no-install");
  const { code, stdout } = await migrate(pair.target, ["finish", "lib"]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    "\n4. Publish a version from here: lib keeps its name, ",
  );
  expect(stdout).not.toContain("touch");
});

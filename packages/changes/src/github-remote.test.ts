import { expect, test } from "@jest/globals";
import { openGit } from "@skein/git";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { findRemoteRepository } from "./github-remote.js";

const found = (owner: string, host = "github.com") => ({
  host,
  repository: { owner, name: "app" },
});

test.each([
  ["no remote", [], undefined],
  ["origin", [["origin", "git@github.com:octo/app.git"]], found("octo")],
  [
    "origin before others, and without its password",
    [
      ["a", "https://github.com/other/app"],
      ["origin", "https://u:ghp_secret@github.com/octo/app.git"],
    ],
    found("octo"),
  ],
  [
    "the only one",
    [["work", "ssh://git@ghe.example.com:2222/octo/app"]],
    found("octo", "ghe.example.com"),
  ],
  [
    "none of two",
    [
      ["a", "https://github.com/one/app"],
      ["b", "https://github.com/two/app"],
    ],
    undefined,
  ],
  ["an alias of git's config", [["origin", "gh:octo/app"]], found("octo")],
  ["a folder", [["origin", "/srv/octo/app"]], undefined],
])("%s", async (_name, remotes, expected) => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: { a: "" } }]);
  gitIn(dir.path, "config", "url.https://github.com/.insteadOf", "gh:");
  for (const [name = "", url = ""] of remotes)
    gitIn(dir.path, "remote", "add", name, url);
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  expect(await findRemoteRepository(git)).toEqual(expected);
});

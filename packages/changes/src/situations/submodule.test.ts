import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir, writeFiles } from "@skein/testing";
import { changesetOf, lines } from "./change-lines.test.kit.js";

test("a submodule changes with its commit, and with files in it", async () => {
  await using dir = await tempDir();
  const library = join(dir.path, "library");
  const main = join(dir.path, "main");
  await mkdir(library);
  await mkdir(main);
  buildHistory(library, [{ files: { a: "1" } }, { files: { a: "2" } }]);
  buildHistory(main, [{ files: { root: "1" } }]);
  const allow = ["-c", "protocol.file.allow=always"];
  for (const name of ["moved", "edited", "littered", "same"]) {
    gitIn(
      main,
      ...allow,
      "submodule",
      "--quiet",
      "add",
      library,
      `subs/${name}`,
    );
    // The strongest setting with which a project can hide it.
    gitIn(
      main,
      "config",
      "-f",
      ".gitmodules",
      `submodule.subs/${name}.ignore`,
      "all",
    );
  }
  gitIn(main, "add", ".gitmodules");
  gitIn(main, "commit", "-q", "-m", "submodules");
  gitIn(main, "checkout", "-q", "-b", "work");
  gitIn(join(main, "subs/moved"), "checkout", "-q", "HEAD~1");
  await writeFiles(join(main, "subs/edited"), { a: "3" });
  await writeFiles(join(main, "subs/littered"), { new: "1" });
  expect(lines(await changesetOf(main))).toEqual([
    "unstaged modified subs/edited",
    "unstaged modified subs/littered",
    "unstaged modified subs/moved",
  ]);
  gitIn(main, "add", "--force", "subs/moved");
  gitIn(main, "commit", "-q", "-m", "moved");
  const committed = await changesetOf(main, { workingTree: false });
  expect(committed.changes).toEqual([
    {
      path: "subs/moved",
      kind: "modified",
      origin: "committed",
      oldMode: "160000",
      newMode: "160000",
      oldId: gitIn(library, "rev-parse", "main").trim(),
      newId: gitIn(library, "rev-parse", "main~1").trim(),
    },
  ]);
  // From inside the folder, it is a separate repository.
  expect(lines(await changesetOf(join(main, "subs/edited")))).toEqual([
    "unstaged modified a",
  ]);
});

test("an untracked repository inside is one untracked path", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: { a: "1" } }]);
  await mkdir(join(dir.path, "inner"));
  buildHistory(join(dir.path, "inner"), [{ files: { b: "1" } }]);
  expect(lines(await changesetOf(dir.path))).toEqual(["untracked added inner"]);
});

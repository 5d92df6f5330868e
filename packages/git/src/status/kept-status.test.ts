import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { fileState } from "./file-state.js";
import { openGit } from "../git.js";
import { setTime, stateOf, worktree } from "./kept-status.test.kit.js";

const FILES = {
  ".gitignore": "*.log\nbuild/\n",
  "a/one": "1",
  "a/two": "1",
  "a/deep/three": "1",
  "b/.gitignore": "!kept.log\n",
  "b/one": "1",
  "c/one": "1",
};

/** Creates a repository that is a minute old, with untracked files of all kinds. */
function build(dir: string): void {
  buildHistory(dir, [{ files: FILES }]);
  for (const folder of ["new/inner", "build", "b/build", "inside"])
    mkdirSync(join(dir, folder), { recursive: true });
  for (const path of ["new/x", "new/inner/y", "a/z", "build/x", "c/x.log"])
    writeFileSync(join(dir, path), "1");
  gitIn(join(dir, "inside"), "init", "-q");
  writeFileSync(join(dir, "inside/x"), "1");
}

const git = gitIn;
const write = (dir: string, path: string, text: string) => {
  writeFileSync(join(dir, path), text);
};

/** Successive changes of a working tree. None of them changes the index. */
const CHANGES: readonly (readonly [
  what: string,
  change: (dir: string) => void,
])[] = [
  ["nothing", () => undefined],
  ["a file, as long as before", (dir) => write(dir, "a/one", "2")],
  ["the same again", (dir) => write(dir, "a/one", "3")],
  ["a file that may be run", (dir) => chmodSync(join(dir, "a/two"), 0o755)],
  ["a file that went", (dir) => rmSync(join(dir, "a/one"))],
  ["a new file", (dir) => write(dir, "c/new", "1")],
  ["a new file that is ignored", (dir) => write(dir, "c/new.log", "1")],
  ["one that is not, after all", (dir) => write(dir, "b/kept.log", "1")],
  ["a file in a new folder", (dir) => write(dir, "new/inner/new", "1")],
  ["a new file that went", (dir) => rmSync(join(dir, "new/x"))],
  ["an empty folder", (dir) => mkdirSync(join(dir, "c/empty"))],
  [
    "a strange name in new folders",
    (dir) => {
      mkdirSync(join(dir, "é/d"), { recursive: true });
      write(dir, "é/d/new\nline", "1");
    },
  ],
  [
    "a folder instead of a file",
    (dir) => {
      rmSync(join(dir, "c/one"));
      mkdirSync(join(dir, "c/one/d"), { recursive: true });
      write(dir, "c/one/d/x", "1");
    },
  ],
  ["what is ignored", (dir) => write(dir, ".gitignore", "*.lox\nbuild/\n")],
  ["what is ignored there", (dir) => write(dir, "c/.gitignore", "new")],
  ["what is ignored there no more", (dir) => rmSync(join(dir, "b/.gitignore"))],
  ["what is ignored here", (dir) => write(dir, ".git/info/exclude", "a/z\n")],
  [
    "a folder that becomes a repository",
    (dir) => git(join(dir, "new/inner"), "init", "-q"),
  ],
  [
    "a repository that is none any more",
    (dir) => rmSync(join(dir, "inside/.git"), { recursive: true }),
  ],
  [
    "a folder that was moved",
    (dir) => renameSync(join(dir, "a"), join(dir, "moved")),
  ],
  ["a link to it instead", (dir) => symlinkSync("moved", join(dir, "a"))],
  ["a folder that went", (dir) => rmSync(join(dir, "b"), { recursive: true })],
  [
    "another commit",
    (dir) => {
      const empty = git(dir, "hash-object", "-t", "tree", "/dev/null").trim();
      const commit = git(dir, "commit-tree", "-m", "empty", empty).trim();
      git(dir, "update-ref", "HEAD", commit);
    },
  ],
];

describe("the status with a copy of the index equals git's own", () => {
  test("after any change of the working tree", async () => {
    await using dir = await tempDir();
    build(dir.path);
    const { index, keep, kept, plain, age } = worktree(dir.path);
    age();
    await keep();
    const before = stateOf(index);
    for (const [what, change] of CHANGES) {
      change(dir.path);
      expect([what, await kept()]).toEqual([what, await plain()]);
      expect(stateOf(index)).toEqual(before);
    }
  });

  test("after changes in any order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...CHANGES), { minLength: 8, maxLength: 16 }),
        async (changes) => {
          await using dir = await tempDir();
          build(dir.path);
          const { keep, kept, plain, age } = worktree(dir.path);
          age();
          await keep();
          for (const [, change] of changes) {
            try {
              change(dir.path);
            } catch {
              continue; // The target exists already, or is gone.
            }
            expect(await kept()).toEqual(await plain());
          }
        },
      ),
      { numRuns: 4 },
    );
  });

  test("if times of files and folders are set back", async () => {
    await using dir = await tempDir();
    build(dir.path);
    const { keep, kept, plain, age } = worktree(dir.path);
    age();
    await setTimeout(1100); // Git compares times with a precision of one second.
    await keep();
    const times = ["a/one", "c"].map(
      (path) => [path, lstatSync(join(dir.path, path)).mtimeMs] as const,
    );
    write(dir.path, "a/one", "2");
    write(dir.path, "c/new", "1");
    for (const [path, time] of times)
      setTime(join(dir.path, path), time / 1000);
    const output = await kept();
    expect(output).toEqual(await plain());
    expect(output?.join("\n")).toContain('"c/new"');
    expect(output?.join("\n")).toContain('"a/one"');
  });

  test("if files change in the same tick of the clock in which git read them", async () => {
    await using dir = await tempDir();
    build(dir.path);
    const { index, keep, kept, plain, age } = worktree(dir.path);
    const at = (path: string) => join(dir.path, path);
    age();
    await setTimeout(1000 - (Date.now() % 1000)); // Starts at a full second, because the seconds of the times may differ otherwise.
    const now = Math.floor(Date.now() / 1000);
    // The file has the same time as its index entry, so only its content differs.
    setTime(at("a/one"), now - 30);
    git(dir.path, "update-index", "-q", "--refresh");
    write(dir.path, "a/one", "2");
    setTime(at("a/one"), now - 30);
    setTime(index, now - 30);
    // Reads the clock again, because git may have taken long, and these times must still be within the tick.
    const before = Math.floor(Date.now() / 1000) - 1;
    for (const path of ["a/two", "c"]) setTime(at(path), before);
    await keep();
    write(dir.path, "a/two", "2");
    write(dir.path, "c/new", "1");
    for (const path of ["a/two", "c"]) setTime(at(path), before);
    const output = await kept();
    expect(output).toEqual(await plain());
    for (const path of ["a/one", "a/two", "c/new"])
      expect(output?.join("\n")).toContain(`"${path}"`);
  });
});

test("a new index has no copy at first; one is made, and used afterwards", async () => {
  await using dir = await tempDir();
  build(dir.path);
  const { index, kept, plain, age } = worktree(dir.path);
  age();
  for (const change of [
    () => git(dir.path, "add", "a/z"),
    () => git(dir.path, "rm", "-q", "--cached", "b/one"),
    () => git(dir.path, "commit", "-q", "-m", "staged"),
    () => git(dir.path, "reset", "-q", "--hard", "HEAD~1"),
    () => git(dir.path, "add", "-N", "new/x"),
    () => git(dir.path, "config", "core.ignoreCase", "true"),
  ]) {
    change();
    setTime(index, Date.now() / 1000 - 30);
    expect(await kept()).toBeUndefined();
    expect(await kept()).toEqual(await plain());
    expect(await kept()).toEqual(await plain());
    expect(readdirSync(join(dir.path, ".git/skein/index/.git"))).toHaveLength(
      1,
    );
  }
});

test("a tracked folder that became a repository is read without a copy", async () => {
  await using dir = await tempDir();
  build(dir.path);
  rmSync(join(dir.path, "inside"), { recursive: true });
  git(dir.path, "add", "new/x");
  git(dir.path, "-C", "new", "init", "-q");
  const { kept, keep, plain, age } = worktree(dir.path);
  age();
  await keep();
  expect(await kept()).toBeUndefined();
  expect((await plain()).join("\n")).toContain('"new/inner/y"');
});

test("no copy is made of an index of the current second", async () => {
  await using dir = await tempDir();
  build(dir.path);
  const { index, kept } = worktree(dir.path);
  // A time in the future, in case git takes long.
  setTime(index, Date.now() / 1000 + 60);
  for (let i = 0; i < 3; i++) expect(await kept()).toBeUndefined();
});

describe("all kinds of repositories", () => {
  test.each<[what: string, settings: Record<string, string>]>([
    [
      "that remember folders, with an index of version 4 in two files",
      {
        "core.untrackedCache": "true",
        "core.splitIndex": "true",
        "index.version": "4",
        "status.showUntrackedFiles": "all",
      },
    ],
    [
      "that want nothing remembered, and trust few times",
      {
        "core.untrackedCache": "false",
        "core.checkStat": "minimal",
        "core.trustctime": "false",
        "status.showUntrackedFiles": "no",
      },
    ],
  ])("%s", async (_, settings) => {
    await using dir = await tempDir();
    build(dir.path);
    for (const [name, value] of Object.entries(settings))
      git(dir.path, "config", name, value);
    git(dir.path, "add", "a/z");
    git(dir.path, "status");
    const { index, keep, kept, plain, age } = worktree(dir.path);
    age();
    await keep();
    const before = stateOf(index);
    write(dir.path, "c/new", "1");
    write(dir.path, "new/inner/new", "1");
    write(dir.path, "a/one", "2");
    expect(await kept()).toEqual(await plain());
    expect(stateOf(index)).toEqual(before);
  });

  test("git's own cache of untracked files isn't used", async () => {
    await using dir = await tempDir();
    build(dir.path);
    git(dir.path, "config", "core.untrackedCache", "true");
    const { keep, kept, plain, age } = worktree(dir.path);
    age();
    // Simulates a change in the same tick as git's check: the index is younger than the folder's time.
    git(dir.path, "status");
    const { mtimeMs } = lstatSync(join(dir.path, "c"));
    write(dir.path, "c/new", "1");
    setTime(join(dir.path, "c"), mtimeMs / 1000);
    setTime(join(dir.path, ".git/index"), Date.now() / 1000 - 30);
    await keep();
    expect((await kept())?.join("\n")).toContain('"c/new"');
    expect(await kept()).toEqual(await plain());
  });

  test("a linked worktree has its own copy", async () => {
    await using dir = await tempDir();
    const [main, linked] = [join(dir.path, "main"), join(dir.path, "linked")];
    mkdirSync(main);
    build(main);
    git(main, "worktree", "add", "-q", linked);
    const common = join(main, ".git");
    const both = [
      worktree(main),
      worktree(linked, join(common, "worktrees/linked"), common),
    ];
    for (const each of both) {
      each.age();
      await each.keep();
    }
    write(main, "c/in-main", "1");
    write(linked, "c/in-linked", "1");
    for (const { kept, plain } of both)
      expect(await kept()).toEqual(await plain());
  });

  test.each<[what: string, prepare: (dir: string) => void]>([
    ["a sparse checkout", (dir) => git(dir, "sparse-checkout", "set", "a")],
    [
      "a file that git is configured to ignore",
      (dir) => git(dir, "update-index", "--assume-unchanged", "a/one"),
    ],
    [
      "a submodule, whose own index would be written",
      (dir) => {
        mkdirSync(join(dir, "library"));
        build(join(dir, "library"));
        const allow = ["-c", "protocol.file.allow=always"];
        git(dir, ...allow, "submodule", "--quiet", "add", "./library", "sub");
      },
    ],
  ])("%s: no copy is made", async (_, prepare) => {
    await using dir = await tempDir();
    build(dir.path);
    prepare(dir.path);
    const { kept, age } = worktree(dir.path);
    age();
    const sub = join(dir.path, ".git/modules/sub/index");
    const before = fileState(sub);
    for (let i = 0; i < 4; i++) expect(await kept()).toBeUndefined();
    expect(fileState(sub)).toEqual(before);
  });
});

describe("the copy", () => {
  test("isn't used if it is damaged, or disappears while git reads it", async () => {
    await using dir = await tempDir();
    build(dir.path);
    const { kept, keep, plain, age } = worktree(dir.path);
    const folder = join(dir.path, ".git/skein/index/.git");
    const copy = () => join(folder, readdirSync(folder)[0] ?? "");
    age();
    await keep();
    const bytes = readFileSync(copy());
    write(
      folder,
      readdirSync(folder)[0] ?? "",
      "not an index, but long enough to be one",
    );
    expect(await kept()).toBeUndefined();
    await keep();
    expect(readFileSync(copy())).toHaveLength(bytes.length);
    const own = openGit({ cwd: dir.path, env: gitTestEnv });
    const late = {
      ...own,
      run: (...asked: Parameters<typeof own.run>) => {
        rmSync(copy());
        return own.run(...asked);
      },
    };
    expect(await kept(late)).toBeUndefined();
    await keep();
    expect(await kept()).toEqual(await plain());
  });

  test("is made by one of several processes", async () => {
    await using dir = await tempDir();
    build(dir.path);
    const { kept, plain, age } = worktree(dir.path);
    age();
    await kept();
    const right = await plain();
    const many = await Promise.all(Array.from({ length: 6 }, () => kept()));
    for (const output of many)
      expect([undefined, right]).toContainEqual(output);
    expect(await kept()).toEqual(right);
    expect(readdirSync(join(dir.path, ".git/skein/index/.git"))).toHaveLength(
      1,
    );
  });

  test("isn't made in a folder without write access", async () => {
    await using dir = await tempDir();
    build(dir.path);
    write(dir.path, ".git/skein", "a file");
    const { kept, age } = worktree(dir.path);
    age();
    for (let i = 0; i < 3; i++) expect(await kept()).toBeUndefined();
    expect(readFileSync(join(dir.path, ".git/skein"), "utf8")).toBe("a file");
  });
});

test("one text identifies the names in all folders, including ignored names", async () => {
  await using dir = await tempDir();
  build(dir.path);
  const { age, keep, folders } = worktree(dir.path);
  age();
  await keep();
  const word = await folders();
  expect(word).toMatch(/^\d/);
  write(dir.path, "a/one", "other content");
  // Git doesn't read ignored folders.
  write(dir.path, "build/new", "1");
  expect(await folders()).toBe(word);
  write(dir.path, "c/y.log", "ignored");
  expect(await folders()).toBe(undefined);
  rmSync(join(dir.path, "c/y.log"));
  // The folder has its old names again, but git knows only that the folder has changed.
  expect(await folders()).toBe(undefined);
});

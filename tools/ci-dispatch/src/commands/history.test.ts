import { afterAll, expect, test } from "@jest/globals";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildHistory, gitIn, suiteDir, writeFiles } from "@skein/testing";
import type { CommitSpec } from "@skein/testing";
import { dispatchIn } from "../cli.test.kit.js";

const verdictFile = fileURLToPath(
  new URL("../../fixtures/verdict/verdict-v1.json", import.meta.url),
);

const temp = await suiteDir(afterAll);

/** Creates a bare remote, and a function that clones it. */
async function remote(name: string, more: readonly CommitSpec[] = []) {
  const dir = join(temp, name);
  await mkdir(join(dir, "source"), { recursive: true });
  buildHistory(join(dir, "source"), [{ files: { "a.txt": "1\n" } }, ...more]);
  gitIn(dir, "clone", "--quiet", "--bare", "source", "remote.git");
  return {
    dir,
    git: join(dir, "remote.git"),
    clone: async (as: string) => {
      gitIn(dir, "clone", "--quiet", "remote.git", as);
      await cp(verdictFile, join(dir, as, "verdict.json"));
      return join(dir, as);
    },
  };
}

/** Returns the names of the branch's files. */
function filesIn(git: string) {
  const names = gitIn(git, "ls-tree", "--name-only", "ci-history")
    .trim()
    .split("\n");
  return names.map((name) => name.replace(/^\d{4}-\d{2}-\d{2}/, "DAY"));
}

test("append writes one line per unit, and doesn't change the checkout, its index or its branches", async () => {
  const { git, clone } = await remote("append");
  const dir = await clone("clone");
  const refs = gitIn(dir, "for-each-ref", "refs/heads", "refs/tags");
  const status = gitIn(dir, "status", "--porcelain");
  const ended = await dispatchIn(dir, [
    "history",
    "append",
    "--verdict=verdict.json",
    "--anywhere",
    `--index=${"a".repeat(64)}`,
  ]);
  expect(ended.stderr).toMatch(
    /^note: the repository is unknown, so its delivery metrics are not recorded\nthe branch ci-history is at [0-9a-f]{40}\n$/,
  );
  expect(ended.exitCode).toBe(0);
  expect(gitIn(dir, "for-each-ref", "refs/heads", "refs/tags")).toBe(refs);
  expect(gitIn(dir, "status", "--porcelain")).toBe(status);
  expect(filesIn(git)).toEqual(["DAY.ndjson.gz", "index-digests.json"]);
  expect(
    JSON.parse(gitIn(git, "show", "ci-history:index-digests.json")),
  ).toEqual({ version: 1, digests: ["a".repeat(64)] });
  const shown = await dispatchIn(dir, ["history", "show"]);
  expect(shown.stdout).toBe(
    [
      "unit       runs     P90  flakes  recovered",
      "app#test      1   1.5 s       1          0",
      "root#lint     1  900 ms       0          0",
      "",
    ].join("\n"),
  );
});

test("ten concurrent writers: the history has all their events, and no commit is lost", async () => {
  const { git, clone } = await remote("race");
  const writers = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const dir = await clone(`clone-${index}`);
      await writeFiles(dir, {
        "events.ndjson": JSON.stringify({
          version: 1,
          at: "2026-01-02T03:04:05.000Z",
          commit: "c",
          unit: `w${index}#test`,
          ms: index,
          verdict: "passed",
        }),
      });
      return dir;
    }),
  );
  const ended = await Promise.all(
    writers.map((dir) =>
      dispatchIn(dir, ["history", "import", "--file=events.ndjson"]),
    ),
  );
  expect(ended.map(({ exitCode }) => exitCode)).toEqual(
    Array.from({ length: 10 }, () => 0),
  );
  const { stdout } = await dispatchIn(writers[0] ?? "", ["history", "show"]);
  expect(stdout.match(/^w\d#test/gm)?.sort()).toEqual(
    Array.from({ length: 10 }, (_, index) => `w${index}#test`),
  );
  expect(gitIn(git, "rev-list", "--count", "ci-history").trim()).toBe("10");
});

test("a shallow clone fetches only the newest commit, and adds to it", async () => {
  const files = { README: "1\n" };
  const { dir, git } = await remote("shallow", [
    { branch: "ci-history", files },
    { branch: "ci-history", files: { README: "2\n" } },
  ]);
  gitIn(dir, "clone", "--quiet", "--depth=1", `file://${git}`, "clone");
  const clone = join(dir, "clone");
  await cp(verdictFile, join(clone, "verdict.json"));
  const before = gitIn(git, "rev-parse", "ci-history").trim();
  const { exitCode } = await dispatchIn(
    clone,
    "history append --verdict=verdict.json --anywhere",
  );
  expect(exitCode).toBe(0);
  expect(gitIn(clone, "rev-list", "--count", before).trim()).toBe("1");
  expect(gitIn(git, "rev-parse", "ci-history^").trim()).toBe(before);
  expect(filesIn(git)).toEqual(["DAY.ndjson.gz", "README"]);
});

test("the same events are stored only once", async () => {
  const { git, clone } = await remote("twice");
  const dir = await clone("clone");
  const event = {
    version: 1,
    at: "2026-01-02T03:04:05.000Z",
    commit: "c",
    unit: "a#test",
    ms: 1,
    verdict: "passed",
  };
  await writeFiles(dir, {
    "e.gz": gzipSync(`${JSON.stringify(event)}\nnot json\n`),
  });
  const first = await dispatchIn(dir, ["history", "import", "--file=e.gz"]);
  expect(first.stderr).toContain("warning: skipped 1 line that isn't an event");
  await dispatchIn(dir, ["history", "import", "--file=e.gz"]);
  expect(gitIn(git, "rev-list", "--count", "ci-history").trim()).toBe("1");
});

test("a broken file of the branch is skipped and kept, and new events go to another file", async () => {
  const event = (unit: string) =>
    JSON.stringify({
      version: 1,
      at: "2026-01-02T03:04:05.000Z",
      commit: "c",
      unit,
      ms: 1,
      verdict: "passed",
    });
  const { git, clone } = await remote("broken", [
    {
      branch: "ci-history",
      files: {
        "2026-01-01.ndjson.gz": gzipSync(`${event("old#test")}\n{"half`),
        "2026-01-02.ndjson.gz": "this isn't gzip",
        README: "nor this",
      },
    },
  ]);
  const dir = await clone("clone");
  await writeFiles(dir, { "e.ndjson": event("new#test") });
  const written = await dispatchIn(dir, "history import --file=e.ndjson");
  expect(written.exitCode).toBe(0);
  expect(filesIn(git)).toEqual([
    "DAY.ndjson.gz",
    "DAY.1.ndjson.gz",
    "DAY.ndjson.gz",
    "README",
  ]);
  expect(gitIn(git, "show", "ci-history:2026-01-02.ndjson.gz")).toBe(
    "this isn't gzip",
  );
  const { stdout, stderr } = await dispatchIn(dir, ["history", "show"]);
  expect(stderr).toBe(
    "warning: 2026-01-02.ndjson.gz is broken, and is skipped\nwarning: skipped 1 line that isn't an event\n",
  );
  expect(stdout.match(/^\w+#test/gm)?.sort()).toEqual(["new#test", "old#test"]);
});

test("other entries of the branch stay: folders, links and executables", async () => {
  const { dir, git, clone } = await remote("others", [
    { branch: "ci-history", files: { "docs/a/b.txt": "1\n", run: "#!\n" } },
  ]);
  gitIn(dir, "clone", "--quiet", "--branch=ci-history", "remote.git", "keeper");
  const keeper = join(dir, "keeper");
  await symlink("run", join(keeper, "link"));
  gitIn(keeper, "update-index", "--chmod=+x", "run");
  gitIn(keeper, "add", "link");
  gitIn(
    keeper,
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b",
    "commit",
    "-qm",
    "x",
  );
  gitIn(keeper, "push", "--quiet");
  const tree = () => gitIn(git, "ls-tree", "-r", "ci-history");
  const before = tree();
  expect(before).toMatch(
    /^100644 .*\tdocs\/a\/b.txt\n120000 .*\tlink\n100755 /,
  );
  const { exitCode } = await dispatchIn(
    await clone("clone"),
    "history append --verdict=verdict.json --anywhere",
  );
  expect(exitCode).toBe(0);
  expect(
    tree()
      .split("\n")
      .filter((line) => !line.endsWith(".ndjson.gz"))
      .join("\n"),
  ).toBe(before);
});

test("clocks that disagree: each day has its file, no event is lost, and a clock that was set back records nothing", async () => {
  const { git, clone } = await remote("skew");
  const dir = await clone("clone");
  const event = (at: string, ms: number) =>
    JSON.stringify({
      version: 1,
      at,
      commit: "c",
      unit: "a#test",
      ms,
      verdict: "passed",
    });
  await writeFiles(dir, {
    "e.ndjson": [
      event("2031-01-01T00:00:00.000Z", 30_000),
      event("1999-12-31T23:59:59.000Z", 10_000),
      event("2026-01-01T02:00:00.000+05:00", 20_000),
    ].join("\n"),
  });
  await dispatchIn(dir, ["history", "import", "--file=e.ndjson"]);
  expect(
    gitIn(git, "ls-tree", "--name-only", "ci-history").split("\n"),
  ).toEqual([
    "1999-12-31.ndjson.gz",
    "2025-12-31.ndjson.gz",
    "2031-01-01.ndjson.gz",
    "",
  ]);
  await writeFile(
    join(dir, "verdict.json"),
    (await readFile(verdictFile, "utf8")).replace(
      '"durationMs": 900',
      '"durationMs": -900',
    ),
  );
  await dispatchIn(dir, "history append --verdict=verdict.json --anywhere");
  const { stdout } = await dispatchIn(dir, ["history", "show"]);
  expect(stdout.split("\n")).toEqual([
    "unit      runs    P90  flakes  recovered",
    "a#test       3   30 s       0          0",
    "app#test     1  1.5 s       1          0",
    "",
  ]);
});

test("prune deletes the durations of old days, and only with --metrics their delivery metrics and the record of what was read", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const old = "2020-01-01";
  const { git, clone } = await remote("prune", [
    {
      branch: "ci-history",
      files: Object.fromEntries(
        [
          `${old}.ndjson.gz`,
          `${today}.ndjson.gz`,
          `delivery-${old}.ndjson.gz`,
          `delivery-${old}.1.ndjson.gz`,
          `delivery-${today}.ndjson.gz`,
          "delivery-state.json.gz",
          "README",
        ].map((name) => [name, gzipSync("")]),
      ),
    },
  ]);
  const dir = await clone("clone");
  const names = () =>
    gitIn(git, "ls-tree", "--name-only", "ci-history")
      .replaceAll(today, "TODAY")
      .trim()
      .split("\n");
  const prune = async (...more: string[]) => {
    const args = ["history", "prune", "--days=30", ...more];
    expect(await dispatchIn(dir, args)).toMatchObject({ exitCode: 0 });
    return gitIn(git, "rev-list", "--count", "ci-history").trim();
  };
  expect(await prune()).toBe("2");
  const kept = ["TODAY.ndjson.gz", "README"];
  expect(names()).toEqual([
    ...kept,
    `delivery-${old}.1.ndjson.gz`,
    `delivery-${old}.ndjson.gz`,
    "delivery-TODAY.ndjson.gz",
    "delivery-state.json.gz",
  ]);
  expect(await prune("--metrics")).toBe("3");
  expect(names()).toEqual([...kept, "delivery-TODAY.ndjson.gz"]);
  // No file is old any more.
  expect(await prune("--metrics")).toBe("3");
});

test.each([
  [{}, "this isn't a run of a workflow"],
  [
    { GITHUB_ACTIONS: "true", GITHUB_EVENT_NAME: "pull_request" },
    "this run is for the event pull_request",
  ],
  [
    {
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: "push",
      GITHUB_REF: "refs/heads/feature",
    },
    "this run is for refs/heads/feature, and the default branch is trunk",
  ],
])("only the default branch writes: %j is refused", async (env, words) => {
  const { dir, git, clone } = await remote(`main-${words.length}`);
  await writeFiles(dir, {
    "event.json": '{"repository":{"default_branch":"trunk"}}',
  });
  const ended = await dispatchIn(
    await clone("clone"),
    ["history", "append", "--verdict=verdict.json"],
    { ...env, GITHUB_EVENT_PATH: join(dir, "event.json") },
  );
  expect(ended.stderr).toContain(
    `only the default branch writes the history: ${words}`,
  );
  expect(ended.exitCode).toBe(2);
  expect(gitIn(git, "for-each-ref", "--format=%(refname)")).toBe(
    "refs/heads/main\n",
  );
});

test("a push to the default branch writes", async () => {
  const { dir, git, clone } = await remote("push");
  await writeFiles(dir, {
    "event.json": '{"repository":{"default_branch":"main"}}',
  });
  const ended = await dispatchIn(
    await clone("clone"),
    ["history", "append", "--verdict=verdict.json"],
    {
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: "push",
      GITHUB_REF: "refs/heads/main",
      GITHUB_EVENT_PATH: join(dir, "event.json"),
    },
  );
  expect(ended.exitCode).toBe(0);
  expect(filesIn(git)).toHaveLength(1);
});

test("a remote that doesn't exist", async () => {
  const { clone } = await remote("gone");
  const dir = await clone("clone");
  const { exitCode, stderr } = await dispatchIn(
    dir,
    "history show --remote=nowhere",
  );
  expect(stderr).toContain(
    "ci-dispatch: this repository has no remote called nowhere",
  );
  expect(exitCode).toBe(3);
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatEvent, mergeEvents } from "@skein/delivery-metrics";
import { openGit } from "@skein/git";
import {
  buildHistory,
  gitIn,
  gitTestEnv,
  json,
  rootManifest,
  startFakeGitHub,
  tempDir,
} from "@skein/testing";
import type { FakeDelivery, FakeGitHub } from "@skein/testing";
import { dispatchIn, program } from "../cli.test.kit.js";
import { folderStore, type EventStore } from "@skein/metrics-store";
import { fillPast, readEvents } from "@skein/metrics-store/test-kit";
import { branchStore } from "./branch-store.js";

const DAY = 86_400_000;

let temp: string;
let dispose: () => Promise<void>;
let fake: FakeGitHub;
let delivery: FakeDelivery;
/** Called for each request before its response. */
let before: () => void = () => undefined;
beforeAll(async () => {
  const made = await tempDir();
  temp = made.path;
  buildHistory(temp, [{ files: { a: "1" } }]);
  fake = await startFakeGitHub({ before: () => before() });
  delivery = fake.addRepository("acme/app", { dir: temp }).delivery;
  // The program uses the real time.
  const start = Math.floor(Date.now() / DAY) * DAY - 6 * DAY;
  fillPast(delivery, { seed: 9, pulls: 15, start, days: 2, rerunOneOf: 4 });
  delivery.clock = start + 5 * DAY;
  dispose = async () => {
    await fake[Symbol.asyncDispose]();
    await made[Symbol.asyncDispose]();
  };
});
afterAll(() => dispose());

const env = () => ({ GITHUB_API_URL: fake.url, GITHUB_TOKEN: "secret-token" });
const syncInto = (...args: string[]) => [
  "metrics",
  "sync",
  "--repo=acme/app",
  "--since=7d",
  ...args,
];

async function linesOf(store: EventStore): Promise<readonly string[]> {
  return mergeEvents((await readEvents(store)).events).map(formatEvent);
}

/** Runs the program and kills it at its nth request. It may end before. */
async function killedAt(request: number, cwd: string, args: readonly string[]) {
  let seen = 0;
  const child = spawn(program, args, { cwd, env: { ...gitTestEnv, ...env() } });
  before = () => {
    if (++seen === request) child.kill("SIGKILL");
  };
  const signal = await new Promise((resolve) => {
    child.on("exit", (_, how) => resolve(how));
  });
  before = () => undefined;
  return signal;
}

// sync/killed.test.ts covers every single request, without the program around it.
test("a killed sync loses nothing, repeats few requests, and ends with the same events", async () => {
  const whole = await dispatchIn(temp, syncInto("--to=whole"), env());
  expect(whole.stderr).toBe(
    "reading pull requests\nreading pushes\nreading runs\nreading configuration\nreading publications\n",
  );
  const requests = fake.requests.length;
  expect(whole.stdout).toMatch(
    new RegExp(
      `^acme/app: \\d+ events with ${requests} requests, 0 more that GitHub does not count\\n$`,
    ),
  );
  const lines = await linesOf(folderStore(join(temp, "whole")));
  for (const at of [2, 12, requests - 1]) {
    const folder = `killed-${at}`;
    const start = fake.requests.length;
    expect(await killedAt(at, temp, syncInto(`--to=${folder}`))).toBe(
      "SIGKILL",
    );
    const ended = await dispatchIn(temp, syncInto(`--to=${folder}`), env());
    expect(ended.exitCode).toBe(0);
    expect(await linesOf(folderStore(join(temp, folder)))).toEqual(lines);
    // The requests in progress are repeated, and the first page of each list is read a second time.
    const made = fake.requests.length - start;
    expect(made).toBeLessThanOrEqual(requests + 12);
    expect(await readdir(join(temp, folder))).not.toContain("delivery.journal");
  }
});

/** Creates a remote and a clone of it. */
async function remote(name: string) {
  const dir = join(temp, name);
  await mkdir(join(dir, "source"), { recursive: true });
  buildHistory(join(dir, "source"), [{ files: { "a.txt": "1\n" } }]);
  gitIn(dir, "clone", "--quiet", "--bare", "source", "remote.git");
  gitIn(dir, "clone", "--quiet", "remote.git", "clone");
  const clone = join(dir, "clone");
  const branch = { remote: "origin", ref: "refs/heads/ci-history" };
  const git = openGit({ cwd: clone, env: gitTestEnv });
  const options = { sleep: () => Promise.resolve(), random: () => 0 };
  return {
    clone,
    bare: join(dir, "remote.git"),
    lines: () => linesOf(branchStore(git, clone, branch, options)),
  };
}

test("a sync to the branch, killed while it reads and while it pushes, keeps the existing history", async () => {
  const { clone, bare, lines } = await remote("branch");
  const event = {
    version: 1,
    at: "2026-01-02T03:04:05.000Z",
    commit: "c",
    unit: "a#test",
    ms: 1,
    verdict: "passed",
  };
  await writeFile(join(clone, "e.ndjson"), JSON.stringify(event));
  await dispatchIn(clone, ["history", "import", "--file=e.ndjson"]);
  const refs = gitIn(clone, "for-each-ref", "refs/heads", "refs/tags");
  expect(await killedAt(9, clone, syncInto())).toBe("SIGKILL");
  expect(gitIn(bare, "rev-list", "--count", "ci-history").trim()).toBe("1");
  // The push takes so long that the program is killed during it.
  const hook = join(bare, "hooks", "pre-receive");
  await writeFile(hook, "#!/bin/sh\ntouch pushing\nexec sleep 600\n");
  await chmod(hook, 0o755);
  const child = spawn(program, syncInto(), {
    cwd: clone,
    env: { ...gitTestEnv, ...env() },
    detached: true,
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  while (child.exitCode === null && !(await readdir(bare)).includes("pushing"))
    await new Promise((resolve) => setTimeout(resolve, 20));
  // Kills the process group, which includes the git process that waits for the hook.
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await ended;
  await writeFile(hook, "#!/bin/sh\nexit 0\n");
  const last = await dispatchIn(clone, syncInto(), env());
  expect(last.exitCode).toBe(0);
  expect(await lines()).toEqual(
    await linesOf(folderStore(join(temp, "whole"))),
  );
  expect(gitIn(bare, "rev-list", "--count", "ci-history").trim()).toBe("2");
  expect(gitIn(clone, "for-each-ref", "refs/heads", "refs/tags")).toBe(refs);
  expect(gitIn(clone, "status", "--porcelain")).toBe("?? e.ndjson\n");
  const shown = await dispatchIn(clone, ["history", "show"]);
  expect(shown.stdout).toContain("a#test");
  expect(shown.stderr).toBe("");
});

test("a spent budget ends the sync with exit code 3; the next sync continues until all is read", async () => {
  const args = syncInto("--to=budget", "--budget=20", "--json");
  const first = await dispatchIn(temp, args, env());
  expect(first.exitCode).toBe(3);
  expect(JSON.parse(first.stdout)).toEqual({
    version: 1,
    repository: "acme/app",
    events: expect.any(Number),
    requests: 20,
    unchanged: 0,
    left: expect.any(Number),
    complete: false,
    stopped: "budget",
    resetAt: null,
  });
  expect(first.stderr).toContain(
    "stopped: the budget is spent, and not all has been read; run it again, and it continues from there\n",
  );
  let exitCode = 3;
  for (let turn = 0; exitCode === 3 && turn < 20; turn++)
    ({ exitCode } = await dispatchIn(temp, args, env()));
  expect(exitCode).toBe(0);
  expect(await linesOf(folderStore(join(temp, "budget")))).toEqual(
    await linesOf(folderStore(join(temp, "whole"))),
  );
});

test("the packages and owners of a change come from the checked-out workspace and CODEOWNERS, if the repository is this one", async () => {
  const dir = join(temp, "workspace");
  await mkdir(dir);
  const files = Object.fromEntries(
    [0, 1, 2, 3, 4].map((index) => [
      `packages/p${index}/package.json`,
      json({ name: `@acme/p${index}` }),
    ]),
  );
  buildHistory(dir, [
    {
      files: {
        ...files,
        "package.json": rootManifest("root"),
        "skein.json": json({
          metrics: {
            publish: [{ from: "deployment", environment: "production" }],
          },
        }),
        ".github/CODEOWNERS": "/packages/p1/ @acme/one\n",
      },
    },
  ]);
  gitIn(dir, "remote", "add", "origin", "https://github.com/Acme/App.git");
  await dispatchIn(
    dir,
    ["metrics", "sync", "--to=events", "--since=7d"],
    env(),
  );
  const { events } = await readEvents(folderStore(join(dir, "events")));
  const reported = new Set(
    events.flatMap((each) =>
      each.kind === "pull-attributed"
        ? [`${each.packages.join()} ${each.owners.join()}`]
        : [],
    ),
  );
  expect([...reported].toSorted()).toEqual([
    "@acme/p0 ",
    "@acme/p1 @acme/one",
    "@acme/p2 ",
    "@acme/p3 ",
    "@acme/p4 ",
  ]);
  const channels = events.flatMap((each) =>
    each.kind === "published" ? [each.channel] : [],
  );
  expect([...new Set(channels)]).toEqual(["deployment"]);
});

test.each([
  [["--repo=acme"], 2, "acme is not a repository"],
  [
    ["--repo=acme/app", "--since=soon"],
    2,
    "--since soon isn't a time in the past",
  ],
  [["--repo=acme/gone"], 3, "found nothing (404 to"],
  [["--repo=acme/app", "--to=a"], 2, "the events cannot be stored here"],
])("errors: %j", async (args, code, words) => {
  const ended = await dispatchIn(
    temp,
    ["metrics", "sync", "--to=wrong", ...args],
    env(),
  );
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toContain("secret-token");
  expect(ended.exitCode).toBe(code);
});

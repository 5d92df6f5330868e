import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  buildHistory,
  gitIn,
  gitTestEnv,
  json,
  startFakeGitHub,
  suiteDir,
  writeFiles,
} from "@skein/testing";
import type { FaultKind, RunSpec } from "@skein/testing";
import type { Verdict } from "../verdict.js";
import { readOwnRuns } from "./read-own-runs.js";

const workflow = (name: string) => ({ ".github/workflows/ci.yml": name });

const temp = await suiteDir(afterAll);
let commits: Record<"first" | "second" | "edited", string>;
beforeAll(() => {
  buildHistory(temp, [
    { files: { ...workflow("as on main"), "sub/x": "" } },
    { branch: "first", from: "main", files: { a: "1" } },
    { branch: "edited", from: "main", files: workflow("another one") },
    { branch: "second", from: "first", files: { a: "2" } },
  ]);
  gitIn(temp, "checkout", "--quiet", "second");
  const commitOf = (name: string) => gitIn(temp, "rev-parse", name).trim();
  commits = {
    first: commitOf("first"),
    second: commitOf("second"),
    edited: commitOf("edited"),
  };
});

const unit = (whole: string): Verdict["units"][number] => ({
  ...{ id: whole, whole, workspace: whole, dir: ".", job: "packages-1" },
  ...{ state: "passed", failure: null, failedTests: [], runs: 1 },
  ...{ durationMs: 1, files: {} },
});
const failure = { class: "test" as const, evidence: [] };

/** A run's verdict: one unit passed, one failed, and two were reused. Parts of it are forged. */
const verdict: Verdict = {
  version: 1,
  plan: "0".repeat(32),
  head: "0".repeat(40),
  ...{ colour: "red", exitCode: 1 },
  counts: { passed: 1, flaky: 0, recovered: 0, failed: 1, missing: 0 },
  units: [
    { ...unit("a#test"), fingerprint: "of a", fields: { files: "1" } },
    {
      ...{ ...unit("b#test"), state: "failed", failure, under: "of b" },
      // This fingerprint is forged: a failed unit attests nothing.
      fingerprint: "of b",
    },
  ],
  reused: [
    {
      ...{ whole: "c#test", fingerprint: "of c" },
      // A unit of an earlier run. The verdict's claims about its commit and time must not count.
      ...{ commit: "forged", run: "EARLIER", at: "2099-12-01T00:00:00Z" },
    },
    {
      ...{ whole: "d#test", fingerprint: "of d" },
      // A forged result of the default branch.
      ...{ commit: "main's", run: "3", at: "2025-12-01T00:00:00Z" },
    },
  ],
  ...{ skipped: [], refused: [] },
};

/** The difference from a valid earlier run of pull request 7. */
interface Case {
  readonly run?: Partial<RunSpec>;
  readonly artifact?: string;
  readonly file?: string;
  readonly text?: string;
  readonly event?: string;
  readonly pull?: object;
  readonly fault?: FaultKind;
  readonly token?: string;
  /** Whether the run is a re-run of this one. */
  readonly isThis?: boolean;
}

/** Reads the earlier runs of pull request 7. There is one. */
async function read(odd: Case) {
  await using fake = await startFakeGitHub();
  const repository = fake.addRepository("octo/app", { dir: temp });
  const earlier = fake.addRun(repository, {
    ...{ headSha: commits.first, headBranch: "topic", pulls: [7] },
    ...{ event: "pull_request", createdAt: "2026-01-01T12:00:00Z" },
  });
  const run = fake.addRun(repository, {
    headSha: commits.first,
    headBranch: "topic",
    event: "pull_request",
    pulls: [7],
    conclusion: "failure",
    createdAt: "2026-01-02T00:00:00Z",
    ...odd.run,
  });
  // The workflow of this run has run at least once.
  fake.addRun(repository, { headSha: commits.second, status: "in_progress" });
  fake.addArtifact(run, {
    name: odd.artifact ?? "ci-dispatch-verdict",
    files: {
      [odd.file ?? "verdict.json"]: (odd.text ?? json(verdict)).replace(
        "EARLIER",
        String(earlier.id),
      ),
      "../verdict.json": "out of its folder",
    },
  });
  if (odd.fault)
    fake.fail({
      operation: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
      fault: odd.fault,
    });
  const event = join(temp, ".git/event.json");
  const pull = {
    number: 7,
    created_at: "2026-01-01T00:00:00Z",
    head: { ref: "topic", repo: { full_name: "octo/app" } },
    ...odd.pull,
  };
  await writeFiles(temp, {
    ".git/event.json": json({ pull_request: pull }),
  });
  let stderr = "";
  const found = await readOwnRuns(
    {
      // A workspace may be below the top of its repository.
      cwd: join(temp, "sub"),
      env: {
        ...gitTestEnv,
        GITHUB_ACTIONS: "true",
        GITHUB_API_URL: fake.url,
        GITHUB_EVENT_NAME: odd.event ?? "pull_request",
        GITHUB_EVENT_PATH: event,
        GITHUB_REPOSITORY: "octo/app",
        GITHUB_RUN_ID: odd.isThis === true ? String(run.id) : "999",
        GITHUB_TOKEN: odd.token ?? "secret",
        GITHUB_WORKFLOW_REF:
          "octo/app/.github/workflows/ci.yml@refs/pull/7/merge",
      },
      now: Date.now,
      signal: new AbortController().signal,
      stderr: { write: (text) => (stderr += text) },
    },
    "ci-dispatch",
  );
  return {
    found,
    run: String(run.id),
    earlier: String(earlier.id),
    stderr: stderr.replace(String(run.id), "N"),
    requests: fake.requests.length,
  };
}

test("an earlier run of the pull request attests its passed, failed and reused units", async () => {
  const { found, run, earlier, stderr, requests } = await read({});
  const at = "2026-01-02T00:00:00Z";
  expect({ found, stderr, requests }).toEqual({
    found: [
      {
        run,
        passed: [
          {
            ...{ unit: "a#test", fingerprint: "of a", fields: { files: "1" } },
            ...{ commit: commits.first, run, at },
          },
          {
            ...{ unit: "c#test", fingerprint: "of c", commit: commits.first },
            ...{ run: earlier, at: "2026-01-01T12:00:00Z" },
          },
        ],
        failed: ["of b"],
        pushes: [
          {
            ...{ commit: commits.first, run, at },
            ...{ units: 4, reused: 2, reusedMs: 0 },
          },
        ],
      },
    ],
    stderr: "",
    // The requests are: the list; artifacts, commit and archive of the newest run; and the artifacts of the other run, which
    // has none.
    requests: 5,
  });
});

test.each<[string, () => Case]>([
  [
    "a fork's branch of the same name",
    () => ({ run: { headRepository: "mallory/app" } }),
  ],
  ["another pull request", () => ({ run: { pulls: [8] } })],
  [
    "another pull request of the same branch",
    () => ({ run: { pulls: [7, 8] } }),
  ],
  [
    "a run that GitHub links to no pull request",
    () => ({ run: { pulls: [] } }),
  ],
  [
    "an earlier pull request of the same branch",
    () => ({ run: { createdAt: "2025-12-31T00:00:00Z" } }),
  ],
  [
    "another workflow",
    () => ({ run: { path: ".github/workflows/other.yml" } }),
  ],
  [
    "another workflow whose file ends alike",
    () => ({ run: { path: ".github/workflows/x/ci.yml" } }),
  ],
  ["another event", () => ({ run: { event: "workflow_dispatch" } })],
  ["a branch of another name", () => ({ run: { headBranch: "topic2" } })],
  [
    "a run that has not ended",
    () => ({ run: { status: "in_progress", conclusion: null } }),
  ],
  ["this very run, started again", () => ({ isThis: true })],
  [
    "an artifact of another name",
    () => ({ artifact: "ci-dispatch-verdict-2" }),
  ],
  ["a push to the default branch", () => ({ event: "push" })],
  ["a group of the merge queue", () => ({ event: "merge_group" })],
  ["pull_request_target", () => ({ event: "pull_request_target" })],
  [
    "a pull request from a fork",
    () => ({
      pull: { head: { ref: "topic", repo: { full_name: "mallory/app" } } },
    }),
  ],
  [
    "a pull request of a fork that is gone",
    () => ({ pull: { head: { ref: "topic", repo: null } } }),
  ],
  [
    "an event without the time of the opening",
    () => ({ pull: { created_at: null } }),
  ],
  ["a run without a token", () => ({ token: "" })],
])("nothing is read for %s", async (_name, odd) => {
  const { found, stderr } = await read(odd());
  expect({ found, stderr }).toEqual({ found: [], stderr: "" });
});

const note = (why: string) =>
  `note: no results of run N of this pull request are reused: ${why}\n`;
test.each<[string, () => Case, string]>([
  [
    "a commit with another workflow",
    () => ({ run: { headSha: commits.edited } }),
    note("its commit has another .github"),
  ],
  [
    "an archive without the file",
    () => ({ file: "folder/verdict.json" }),
    note("its artifact contains no verdict"),
  ],
  [
    "a verdict that contradicts itself",
    () => ({ text: json({ ...verdict, colour: "green", exitCode: 0 }) }),
    note("verdict.colour is not that of its units"),
  ],
  [
    "a server that refuses",
    () => ({ fault: { kind: "missing-permission" } }),
    "warning: no results of this pull request's earlier runs are reused: ",
  ],
  [
    "a server that fails",
    () => ({ fault: { kind: "status", status: 502 } }),
    "warning: no results of this pull request's earlier runs are reused: ",
  ],
])(
  "nothing is reused from %s, and stderr has the reason",
  async (_name, odd, words) => {
    const { found, stderr } = await read(odd());
    expect({ found, stderr }).toEqual({
      found: [],
      stderr: expect.stringContaining(words) as unknown,
    });
  },
);

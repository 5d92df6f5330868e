import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Verdict } from "../verdict.js";
import { bodies, greened, publishRig, start } from "./publish.test.kit.js";
import type { PublishRig } from "./publish.test.kit.js";

let it: PublishRig;
beforeAll(async () => {
  it = await publishRig();
});
afterAll(async () => it[Symbol.asyncDispose]());

const FORK = "mallory/app";
const DOUBT = (word: string) =>
  new RegExp(
    `^<!-- .* -->\\n### ❌ the verdict is green, but GitHub reports that it ended as ${word}\\n`,
  );

/**
 * Returns GitHub's event for the end of a run of a fork's pull request. Like the real one, it doesn't name the pull
 * request.
 */
const ended = (more: Readonly<Record<string, unknown>> = {}) => ({
  action: "completed",
  workflow_run: {
    id: 99,
    event: "pull_request",
    conclusion: "failure",
    head_sha: it.head,
    head_branch: "topic",
    head_repository: { full_name: FORK },
    pull_requests: [],
    ...more,
  },
});

test("the verdict of a fork's run is shown at the pull request that GitHub finds for it", async () => {
  await using github = await start();
  const repository = it.setUp(github, FORK);
  const { id } = github.addRun(repository, { headSha: it.head });
  const { exitCode, stderr } = await it.publish(github.url, {
    event: ended({ id }),
  });
  expect(stderr).toBe(
    "published at octo/app: a check with 2 annotations, and the comment of #7\n",
  );
  expect(exitCode).toBe(0);
  expect(repository.checkRuns).toMatchObject([
    { headSha: it.head, conclusion: "failure" },
  ]);
  expect(
    github.requests.find(({ operation }) => operation.startsWith("POST"))?.body,
  ).toMatchObject({
    details_url: `https://github.com/octo/app/actions/runs/${id}`,
  });
  expect(bodies(repository)).toEqual([expect.stringContaining("### ❌ red")]);
});

test("the verdict of a run by Dependabot from a branch of the repository is shown too", async () => {
  await using github = await start();
  const repository = it.setUp(github, "octo/app");
  const { id } = github.addRun(repository, { headSha: it.head });
  const actor = { login: "dependabot[bot]" };
  const head_repository = { full_name: "octo/app" };
  const { stderr } = await it.publish(github.url, {
    event: ended({ id, actor, head_repository }),
  });
  expect(stderr).toBe(
    "published at octo/app: a check with 2 annotations, and the comment of #7\n",
  );
});

test("a fork's plan is untrusted: its prediction is shown, and a link isn't followed", async () => {
  await using github = await start();
  const repository = it.setUp(github, FORK);
  const { id } = github.addRun(repository, { headSha: it.head });
  const secret = join(it.temp, "secret-plan.json");
  const plan = fileURLToPath(
    new URL("../../fixtures/plan/plan-v1.json", import.meta.url),
  );
  const link = join(it.temp, "plan-link.json");
  await writeFile(secret, "ghs_secret");
  await symlink("secret-plan.json", link);
  const event = ended({ id });
  await it.publish(github.url, { event, args: [`--plan=${plan}`] });
  expect(bodies(repository)).toEqual([
    expect.stringMatching(/\n\nPredicted: 7\.1 min of jobs\.\n$/),
  ]);
  const linked = await it.publish(github.url, {
    event,
    args: [`--plan=${link}`],
  });
  expect(linked.stderr).toBe(
    `warning: ${link}: this isn't a plan of version 1: it is a link; it is ignored\npublished at octo/app: a check with 2 annotations, and the comment of #7\n`,
  );
  expect(bodies(repository)).toEqual([
    expect.not.stringContaining("Predicted"),
  ]);
});

/** The conclusions of the run and of its verdict, and how a green verdict is shown then. */
test.each<[string, string | undefined, string, RegExp]>([
  ["success", undefined, "success", /^<!-- .* -->\n### ✅ green/],
  // An unrelated job failed: the run is red, its verdict isn't.
  ["failure", "success", "success", /^<!-- .* -->\n### ✅ green/],
  ["failure", "failure", "failure", DOUBT("failure")],
  ["failure", "skipped", "failure", DOUBT("skipped")],
  ["cancelled", undefined, "failure", DOUBT("cancelled")],
  ["@octo/all <b>", undefined, "failure", DOUBT("unknown")],
])(
  "a green verdict, whose run ended as %s and whose verdict job ended as %s, is shown as %s",
  async (conclusion, verdictJob, shown, body) => {
    await using github = await start();
    const repository = it.setUp(github, FORK);
    const run = github.addRun(repository, { headSha: it.head });
    github.addJob(run, { name: "everything", conclusion: "failure" });
    if (verdictJob !== undefined)
      github.addJob(run, { name: "ci / verdict", conclusion: verdictJob });
    const verdict = await it.verdict("green.json", greened);
    const event = ended({ conclusion, id: run.id });
    await it.publish(github.url, { verdict, event });
    expect(repository.checkRuns[0]?.conclusion).toBe(shown);
    expect(bodies(repository)).toEqual([expect.stringMatching(body)]);
  },
);

const OTHER = "1".repeat(40);

test.each([
  ["a commit without a pull request", { head_sha: OTHER }],
  ["another fork", { head_repository: { full_name: "mallory/other" } }],
  ["another branch", { head_branch: "topic2" }],
])("%s: nothing is written", async (_case, more) => {
  await using github = await start();
  const repository = it.setUp(github, FORK);
  const event = ended(more);
  const { exitCode, stderr } = await it.publish(github.url, { event });
  expect(stderr).toMatch(
    /^nothing is published: no open pull request from \S+ of \S+ is at [0-9a-f]{40} now\n$/,
  );
  expect(exitCode).toBe(0);
  expect(repository).toMatchObject({ checkRuns: [], comments: [] });
});

test.each([
  [{ event: "push" }, "the run that has ended was not for a pull request"],
  [{ head_sha: "--help" }, "the event does not name the run that has ended"],
  [{ head_repository: null }, "the event does not name the run that has ended"],
  [{ id: "99; x" }, "the event does not name the run that has ended"],
])("an event with %j sends no request", async (more, why) => {
  await using github = await start();
  it.setUp(github, FORK);
  const { stderr } = await it.publish(github.url, { event: ended(more) });
  expect(stderr).toBe(`nothing is published: ${why}\n`);
  expect(github.requests).toEqual([]);
});

type Forge = (verdict: Verdict) => unknown;

test.each<[string, Forge, string]>([
  [
    "a green one with failed units",
    (verdict) => ({ ...verdict, colour: "green" }),
    "verdict.colour is not that of its units",
  ],
  [
    "a wrong exit code",
    (verdict) => ({ ...verdict, exitCode: 0 }),
    "verdict.colour is not that of its units",
  ],
  [
    "wrong counts",
    (verdict) => ({ ...verdict, counts: { ...verdict.counts, failed: 0 } }),
    "verdict.counts.failed is not that of its units",
  ],
  [
    "another version",
    (verdict) => ({ ...verdict, version: 2 }),
    "verdict.version is not 1",
  ],
  [
    "an id that is Markdown",
    (verdict) => ({ ...verdict, plan: "@octo/all" }),
    "verdict.plan isn't an id",
  ],
  [
    "no units",
    (verdict) => ({ ...verdict, units: undefined }),
    "verdict.units isn't a list",
  ],
  ["a list", () => [], "verdict isn't an object"],
])(
  "an artifact with %s is refused before any request",
  async (_case, forge, why) => {
    await using github = await start();
    it.setUp(github, FORK);
    const verdict = await it.verdict("forged.json", forge);
    const { exitCode, stderr } = await it.publish(github.url, {
      verdict,
      event: ended(),
    });
    expect(stderr).toContain(`this isn't a verdict of version 1: ${why}\n`);
    expect(exitCode).toBe(3);
    expect(github.requests).toEqual([]);
  },
);

test("an artifact that is a link, a pipe, a folder or too large is refused, and the link isn't followed", async () => {
  await using github = await start();
  it.setUp(github, FORK);
  const file = (name: string) => join(it.temp, name);
  await writeFile(file("secret.json"), '{"token": "x"}');
  await symlink("secret.json", file("link.json"));
  await writeFile(file("huge.json"), "");
  await truncate(file("huge.json"), 65 * 1024 * 1024);
  execFileSync("mkfifo", [file("pipe.json")]);
  for (const [name, why] of [
    ["link.json", "it is a link"],
    ["pipe.json", "it isn't a plain file"],
    [".", "it isn't a plain file"],
    ["huge.json", "it has 68157440 bytes, too many to be one"],
  ] as const) {
    const verdict = file(name);
    const { exitCode, stderr } = await it.publish(github.url, {
      verdict,
      event: ended(),
    });
    expect(stderr).toContain(`this isn't a verdict of version 1: ${why}\n`);
    expect(exitCode).toBe(3);
  }
  expect(github.requests).toEqual([]);
});

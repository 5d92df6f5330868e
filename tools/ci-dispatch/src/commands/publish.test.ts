import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildHistory, gitIn, startFakeGitHub, tempDir } from "@skein/testing";
import type { FakeGitHub, FakeRepository } from "@skein/testing";
import { dispatchIn } from "../cli.test.kit.js";

const fixtures = fileURLToPath(
  new URL("../../fixtures/verdict/", import.meta.url),
);

let temp: string;
let head: string;
let dispose: () => Promise<void>;
beforeAll(async () => {
  const made = await tempDir();
  dispose = async () => made[Symbol.asyncDispose]();
  temp = made.path;
  await mkdir(join(temp, "repo"));
  buildHistory(join(temp, "repo"), [
    { files: { "a.txt": "1\n" } },
    { branch: "topic", from: "main", files: { "a.txt": "2\n" } },
  ]);
  head = gitIn(join(temp, "repo"), "rev-parse", "topic").trim();
});
afterAll(() => dispose());

const permissions = {
  writer: ["metadata", "issues", "issues=write", "checks=write"],
};

const start = () => startFakeGitHub({ tokens: permissions });

/** A repository with one pull request. */
function setUp(github: FakeGitHub): FakeRepository {
  const repository = github.addRepository("octo/app", {
    dir: join(temp, "repo"),
  });
  github.addPull(repository, { number: 7, base: "main", head: "topic" });
  return repository;
}

/** Publishes a verdict as the job of a pull request would. */
async function publish(
  url: string,
  {
    verdict = join(fixtures, "verdict-v1.json"),
    from = "octo/app",
    token = "writer",
  } = {},
) {
  const event = join(temp, "event.json");
  await writeFile(
    event,
    JSON.stringify({
      pull_request: {
        number: 7,
        head: { sha: head, repo: { full_name: from } },
      },
    }),
  );
  return dispatchIn(temp, ["publish", `--verdict=${verdict}`], {
    GITHUB_API_URL: url,
    GITHUB_REPOSITORY: "octo/app",
    GITHUB_EVENT_PATH: event,
    GITHUB_TOKEN: token,
  });
}

const bodies = ({ comments }: FakeRepository) =>
  comments.map(({ body }) => body);

test("a check with a remark at every failed test, and one comment that is edited ever after", async () => {
  await using github = await start();
  const repository = setUp(github);
  const { exitCode, stderr } = await publish(github.url);
  expect(stderr).toBe(
    "published at octo/app: a check with 2 annotations, and the comment of #7\n",
  );
  expect(exitCode).toBe(0);
  expect(repository.checkRuns).toMatchObject([
    {
      name: "ci-dispatch",
      headSha: head,
      status: "completed",
      conclusion: "failure",
      title: "red: 2 failed, 1 missing, 1 flaky",
    },
  ]);
  expect(
    repository.checkRuns[0]?.annotations.map(
      ({ path, start_line, annotation_level }) => [
        path,
        start_line,
        annotation_level,
      ],
    ),
  ).toEqual([
    ["::error file=x::pwned.test.js", 3, "failure"],
    ["packages/app/once.test.js", 1, "warning"],
  ]);
  const markdown = await readFile(join(fixtures, "verdict.md"), "utf8");
  expect(bodies(repository)).toEqual([
    `<!-- skein: ci-dispatch verdict -->\n${markdown}`,
  ]);

  const green = join(temp, "green.json");
  const verdict = await readFile(join(fixtures, "verdict-v1.json"), "utf8");
  await writeFile(
    green,
    verdict.replace('"colour": "red"', '"colour": "green"'),
  );
  await publish(github.url, { verdict: green });
  expect(bodies(repository)).toEqual([expect.stringContaining("### ✅ green")]);
});

test("somebody else's comment with our mark is left alone", async () => {
  await using github = await start();
  const repository = setUp(github);
  const forged = "<!-- skein: ci-dispatch verdict -->\n### ✅ green";
  repository.comments.push({ id: 1, pull: 7, author: "mallory", body: forged });
  await publish(github.url);
  expect(bodies(repository)).toEqual([
    forged,
    expect.stringContaining("### ❌ red"),
  ]);
});

test("120 failed tests come in batches of 50, and the check ends with the last of them", async () => {
  await using github = await start();
  const repository = setUp(github);
  const verdict = JSON.parse(
    await readFile(join(fixtures, "verdict-v1.json"), "utf8"),
  ) as { units: { state: string; failedTests: unknown[] }[] };
  for (const unit of verdict.units) unit.failedTests = [];
  const failed = verdict.units.find(({ state }) => state === "failed");
  failed?.failedTests.push(
    ...Array.from({ length: 120 }, (_each, index) => ({
      file: "a.test.js",
      line: index + 1,
      name: `test ${index}`,
      message: "no",
    })),
    { file: "../../../etc/passwd", line: 1, name: "out", message: "no" },
  );
  const file = join(temp, "many.json");
  await writeFile(file, JSON.stringify(verdict));
  const { exitCode } = await publish(github.url, { verdict: file });
  expect(exitCode).toBe(0);
  expect(repository.checkRuns[0]).toMatchObject({
    status: "completed",
    conclusion: "failure",
  });
  expect(
    repository.checkRuns[0]?.annotations.map(({ start_line }) => start_line),
  ).toEqual(Array.from({ length: 120 }, (_each, index) => index + 1));
  expect(
    github.requests
      .map(({ operation }) => operation.replace(/.*\}/, ""))
      .filter((name) => name === "" || name === "/check-runs").length,
  ).toBe(3);
  expect(bodies(repository)[0]).toContain("… and 21 more lines");
});

test("a fork's pull request writes nothing, and says why", async () => {
  await using github = await start();
  setUp(github);
  const { exitCode, stderr } = await publish(github.url, {
    from: "mallory/app",
    token: "reader",
  });
  expect(stderr).toBe(
    "nothing is published: this pull request comes from a fork, whose token cannot write; the verdict is this job's exit code\n",
  );
  expect(exitCode).toBe(0);
  expect(github.requests).toEqual([]);
});

test("a token that may not write, and no verdict at all", async () => {
  await using github = await start();
  setUp(github);
  github.fail({ fault: { kind: "missing-permission" } });
  const { exitCode, stderr } = await publish(github.url);
  expect(stderr).toContain("says that the token may not do this (403 to POST");
  expect(stderr).not.toContain("writer");
  expect(exitCode).toBe(3);
  const none = await publish(github.url, { verdict: "none.json" });
  expect(none.stderr).toContain("this is no verdict of version 1");
  expect(none.exitCode).toBe(3);
});

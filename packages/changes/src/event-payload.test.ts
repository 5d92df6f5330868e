import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { ciOf } from "@skein/ci";
import { tempDir } from "@skein/testing";
import { parseEvent } from "./event-payload.js";
import { readEvent } from "./event.js";

const sha = "1".repeat(40);
const env = (name: string) => ({
  GITHUB_EVENT_NAME: name,
  GITHUB_REPOSITORY: "octo/app",
  GITHUB_SHA: sha,
});

test.each([
  ["pull_request", {}, ""],
  ["pull_request", null, ""],
  ["pull_request", { pull_request: { number: "7" } }, ""],
  [
    "pull_request",
    { pull_request: { number: 7, head: { sha } } },
    ": pull_request.base.sha is missing",
  ],
  [
    "pull_request_target",
    { pull_request: { number: 7, base: { sha }, head: { sha: "--help" } } },
    ": pull_request.head.sha is missing",
  ],
  [
    "merge_group",
    { merge_group: { base_sha: sha } },
    ": merge_group.head_sha is missing",
  ],
  ["push", { ref: "refs/heads/main", after: sha }, ": before is missing"],
  ["push", JSON.parse('{"__proto__": {"before": 1}}'), ": before is missing"],
])("%s with the payload %j is refused", (name, payload, field) => {
  expect(() => parseEvent(ciOf(env(name)), payload)).toThrow(
    `the event "${name}" in GITHUB_EVENT_PATH is not in GitHub's format${field}`,
  );
});

test.each([
  [{ GITHUB_REPOSITORY: "octo/.." }],
  [{ GITHUB_REPOSITORY: "" }],
  [{ GITHUB_SHA: "main" }],
])("%j isn't a place", (wrong) => {
  expect(() => parseEvent(ciOf({ ...env("push"), ...wrong }), {})).toThrow(
    "GITHUB_REPOSITORY or GITHUB_SHA is missing or not valid",
  );
});

test("the workflow's file, its branch and the default branch", () => {
  const place = {
    ...env("schedule"),
    GITHUB_REF: "refs/heads/release/1",
    GITHUB_WORKFLOW_REF: "octo/app/.github/workflows/ci.yml@refs/heads/a@b",
  };
  expect(
    parseEvent(ciOf(place), { repository: { default_branch: "trunk" } }),
  ).toMatchObject({
    branch: "release/1",
    defaultBranch: "trunk",
    workflow: "ci.yml",
  });
});

test("a missing event and an unreadable one are refused", async () => {
  await expect(readEvent({})).rejects.toMatchObject({
    exitCode: 2,
    message:
      "there is no GitHub event: GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are not set",
  });
  await using dir = await tempDir();
  const file = join(dir.path, "event.json");
  await writeFile(file, "{");
  for (const path of [file, join(dir.path, "nothing")])
    await expect(
      readEvent({ ...env("push"), GITHUB_EVENT_PATH: path }),
    ).rejects.toMatchObject({
      exitCode: 3,
      message: "the event in GITHUB_EVENT_PATH cannot be read",
      place: { file: path },
    });
});

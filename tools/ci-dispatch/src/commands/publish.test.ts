import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeReport, showLeadTime } from "@skein/delivery-metrics";
import { syntheticWeeks } from "@skein/delivery-metrics/synthetic";
import type { Verdict } from "../verdict.js";
import {
  bodies,
  fixtures,
  greened,
  publishRig,
  start,
} from "./publish.test.kit.js";
import type { PublishRig } from "./publish.test.kit.js";

let it: PublishRig;
beforeAll(async () => {
  it = await publishRig();
});
afterAll(async () => it[Symbol.asyncDispose]());

test("a check with an annotation for every failed test, and one comment that is edited in place", async () => {
  await using github = await start();
  const repository = it.setUp(github);
  const { exitCode, stderr } = await it.publish(github.url);
  expect(stderr).toBe(
    "published at octo/app: a check with 2 annotations, and the comment of #7\n",
  );
  expect(exitCode).toBe(0);
  expect(repository.checkRuns).toMatchObject([
    {
      name: "ci-dispatch",
      headSha: it.head,
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

  // Another call of the workflow has its own check and comment.
  await it.publish(github.url, { args: ["--name=windows"] });
  expect(repository.checkRuns.pop()).toMatchObject({ name: "windows" });
  expect(bodies(repository)).toEqual([
    `<!-- skein: ci-dispatch verdict -->\n${markdown}`,
    `<!-- skein: windows verdict -->\n${markdown}`,
  ]);
  repository.comments.pop();

  const verdict = await it.verdict("green.json", greened);
  await it.publish(github.url, { verdict });
  expect(bodies(repository)).toEqual([expect.stringContaining("### ✅ green")]);
  expect(repository.checkRuns[1]?.conclusion).toBe("success");
});

test("the prediction and the trailing P90 are one more line; the verdict is shown even if a report is unreadable", async () => {
  await using github = await start();
  const repository = it.setUp(github);
  const { events, truth } = syntheticWeeks({
    seed: 1,
    days: 4,
    pullsPerDay: 20,
  });
  const asOf = Date.parse(truth.window.to);
  const metrics = join(it.temp, "metrics.json");
  await writeFile(
    metrics,
    JSON.stringify(makeReport(events, { asOf, days: 4 })),
  );
  const plan = fileURLToPath(
    new URL("../../fixtures/plan/plan-v1.json", import.meta.url),
  );
  const shown = await it.publish(github.url, {
    args: [`--plan=${plan}`, `--metrics=${metrics}`],
  });
  expect(shown.exitCode).toBe(0);
  const { n, p90 } = truth.measures.headline;
  const markdown = await readFile(join(fixtures, "verdict.md"), "utf8");
  expect(bodies(repository)).toEqual([
    `<!-- skein: ci-dispatch verdict -->\n${markdown}\nPredicted: 7.1 min of jobs. Trailing P90 of 4 days: ${showLeadTime(p90)} without human waiting, over ${n} pull requests.\n`,
  ]);
  const none = join(it.temp, "none.json");
  await writeFile(none, JSON.stringify(makeReport([], { asOf, days: 4 })));
  await it.publish(github.url, { args: [`--metrics=${none}`] });
  expect(bodies(repository)).toEqual([
    `<!-- skein: ci-dispatch verdict -->\n${markdown}`,
  ]);
  const without = await it.publish(github.url, { args: ["--metrics=gone"] });
  expect(without.exitCode).toBe(0);
  expect(without.stderr).toMatch(
    /^warning: gone: cannot be read: .*; it is ignored\npublished at octo\/app/,
  );
  expect(bodies(repository)).toEqual([
    `<!-- skein: ci-dispatch verdict -->\n${markdown}`,
  ]);
});

test("a comment with our marker by another author isn't edited", async () => {
  await using github = await start();
  const repository = it.setUp(github);
  const forged = "<!-- skein: ci-dispatch verdict -->\n### ✅ green";
  repository.comments.push({ id: 1, pull: 7, author: "mallory", body: forged });
  await it.publish(github.url);
  expect(bodies(repository)).toEqual([
    forged,
    expect.stringContaining("### ❌ red"),
  ]);
});

/**
 * Returns a change of the verdict: this many failed tests in one unit, and one more in a file outside the repository.
 */
const failing = (count: number) => (verdict: Verdict) => ({
  ...verdict,
  units: verdict.units.map((unit, index, all) => ({
    ...unit,
    failedTests:
      index !== all.findIndex(({ state }) => state === "failed")
        ? []
        : [
            {
              file: "../../../etc/passwd",
              line: 1,
              name: "out",
              message: "no",
            },
            ...Array.from({ length: count }, (_each, number) => ({
              file: "a.test.js",
              line: number + 1,
              name: `test ${number}`,
              message: "no",
            })),
          ],
  })),
});

test.each([
  [120, 120, 3],
  [10_000, 500, 10],
])(
  "%d failed tests: %d annotations in batches of 50, and the check completes with the last batch",
  async (failed, remarks, requests) => {
    await using github = await start();
    const repository = it.setUp(github);
    const verdict = await it.verdict("many.json", failing(failed));
    expect(await it.publish(github.url, { verdict })).toMatchObject({
      exitCode: 0,
    });
    const [check] = repository.checkRuns;
    expect(check).toMatchObject({
      status: "completed",
      conclusion: "failure",
    });
    expect(check?.annotations.map(({ start_line }) => start_line)).toEqual(
      Array.from({ length: remarks }, (_each, index) => index + 1),
    );
    expect(
      github.requests.filter(({ operation }) =>
        operation.includes("/check-runs"),
      ),
    ).toHaveLength(requests);
    expect(bodies(repository)[0]).toContain(
      `… and ${(failed + 1 - 100).toLocaleString("en")} more lines`,
    );
  },
);

test("a fork's pull request publishes nothing, and reports why", async () => {
  await using github = await start();
  it.setUp(github);
  const { exitCode, stderr } = await it.publish(github.url, {
    event: it.pullEvent("mallory/app"),
    token: "reader",
  });
  expect(stderr).toBe(
    "nothing is published: this pull request comes from a fork, whose token cannot write; the verdict is this job's exit code\n",
  );
  expect(exitCode).toBe(0);
  expect(github.requests).toEqual([]);
});

test("a token without write permission, and a missing verdict", async () => {
  await using github = await start();
  it.setUp(github);
  github.fail({ fault: { kind: "missing-permission" } });
  const { exitCode, stderr } = await it.publish(github.url);
  expect(stderr).toContain("does not permit this with the token (403 to POST");
  expect(stderr).not.toContain("writer");
  expect(exitCode).toBe(3);
  const none = await it.publish(github.url, { verdict: "missing.json" });
  expect(none.stderr).toContain(
    "missing.json: the verdict cannot be read: there is no such file or folder\n",
  );
  expect(none.exitCode).toBe(3);
});

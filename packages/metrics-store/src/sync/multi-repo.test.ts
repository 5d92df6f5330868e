import { expect, test } from "@jest/globals";
import { makeReport, type MeasuringRules } from "@skein/delivery-metrics";
import { GitHubError } from "@skein/github";
import { startFakeRegistry } from "@skein/testing";
import type { RecordedPull, RecordedRun } from "@skein/testing";
import { DAY, syncWorld } from "./sync.test.kit.js";

const START = Date.UTC(2026, 0, 5, 7);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const sha = (digit: string) => digit.repeat(40);

function pull(
  number: number,
  at: number,
  more: Partial<RecordedPull>,
): RecordedPull {
  return {
    number,
    branch: `change-${number}`,
    openedAt: at,
    head: sha(`${number}`),
    merge: { at: at + 2 * HOUR, sha: sha(`${number + 1}`) },
    ...more,
  };
}

function run(id: number, at: number, head: string): RecordedRun {
  const job = {
    id: id * 10,
    name: "test",
    createdAt: at,
    startedAt: at + MINUTE,
    completedAt: at + 10 * MINUTE,
    conclusion: "success",
  };
  return {
    id,
    path: ".github/workflows/ci.yml",
    event: "pull_request",
    branch: `change-${head[0]}`,
    sha: head,
    attempts: [{ startedAt: at, conclusion: "success", jobs: [job] }],
  };
}

test("a library's change continues through npm and Renovate's pull request to the application's deployment", async () => {
  await using world = await syncWorld();
  await using registry = await startFakeRegistry();
  const { delivery: library } = world.fake.addRepository("acme/ui", {
    dir: world.dir,
  });
  library.pulls.push(pull(1, START, { files: ["@acme/ui"] }));
  library.runs.push(run(1, START, sha("1")));
  registry.packages.set("@acme/ui", [
    { version: "1.1.0", at: START + 3 * HOUR, gitHead: sha("2") },
  ]);
  const app = world.delivery;
  app.pulls.push(
    pull(7, START + DAY, {
      author: "renovate[bot]",
      title: "Update dependency @acme/ui to v1.1.0",
    }),
  );
  app.runs.push(run(7, START + DAY, sha("7")));
  app.deployments.push({
    id: 9,
    environment: "production",
    sha: sha("8"),
    at: START + DAY + 2 * HOUR,
    statuses: [{ state: "SUCCESS", at: START + DAY + 3 * HOUR }],
  });
  const rules: MeasuringRules = {
    upgrades: [],
    publish: [
      { from: "npm", package: "@acme/ui", registry: registry.url },
      { from: "deployment", environment: "production" },
    ],
  };
  const now = START + 2 * DAY;
  for (const repository of ["acme/ui", "acme/app"])
    await world.syncAt(now, "store", { since: START - DAY, repository, rules });
  const report = makeReport(await world.events("store"), {
    asOf: now,
    days: 42,
    minimum: 1,
  });
  expect(report.until).toBe("upgraded");
  expect(
    report.slowest.map(({ repository, gross, stages }) => ({
      repository,
      gross: gross / HOUR,
      upgrade: stages.upgrade / HOUR,
    })),
  ).toEqual([
    // The time from the version on npm to the merge of its upgrade, without the review.
    { repository: "acme/ui", gross: 27, upgrade: 21 + 1 / 6 },
  ]);
});

test("a migration and people's changes of the configuration become annotations", async () => {
  await using world = await syncWorld();
  const { delivery } = world;
  const migrated = (title: string) => ({
    merges: true,
    message: `${title}\n\n12 commits of main, by graft.\n\nMigrated-Package: x\nMigrated-From: y@${sha("d")}\n`,
  });
  delivery.pulls.push(
    pull(1, START, {
      title: "Bring the libraries",
      commits: [
        { message: "One of the libraries' own" },
        migrated("Migrate acme/ui to packages/ui"),
        { message: "Migrate acme/ui: clean-up" },
        migrated("Migrate acme/grid to packages/grid"),
      ],
    }),
    pull(3, START + HOUR, { title: "Longer jobs" }),
    pull(5, START + HOUR, { title: "Raise actions", author: "renovate[bot]" }),
    pull(7, START + HOUR, {
      title: "Migrate tests to Jest",
      commits: [{ message: "Migrate tests to Jest" }],
    }),
  );
  const commit = { at: START + HOUR, sha: sha("a"), message: "Change" };
  delivery.commits.push(
    { ...commit, files: ["skein.json"], pull: 3 },
    { ...commit, files: [".github/workflows/ci.yml"], pull: 3 },
    { ...commit, files: [".github/workflows/ci.yml"], pull: 5 },
    { ...commit, files: ["packages/a/skein.json", "a.ts"] },
    {
      ...commit,
      ...migrated("Migrate acme/flags to packages/flags"),
      sha: sha("b"),
      files: ["packages/flags/a.ts"],
    },
  );
  // GitHub fails for the first query for commits, and answers for half of it.
  let asked = 0;
  await world.syncAt(START + DAY, "store", {
    since: START - DAY,
    through: (rows) => ({
      ...rows,
      graphql(query, variables) {
        if (query.includes("history(") && asked++ === 0)
          return Promise.reject(
            new GitHubError({ kind: "server", request: "", host: "" }),
          );
        return rows.graphql(query, variables);
      },
    }),
  });
  const reported = (await world.events("store")).flatMap((event) =>
    event.kind === "annotated"
      ? [[event.what, (event.at - START) / HOUR, event.text]]
      : [],
  );
  expect(reported).toEqual([
    ["migration", 1, "Migrate acme/flags to packages/flags"],
    ["migration", 2, "Bring the libraries (#1)"],
    ["configuration", 3, "Longer jobs (#3) (.github/workflows, skein.json)"],
  ]);
});

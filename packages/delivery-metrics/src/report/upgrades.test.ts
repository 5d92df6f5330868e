import { expect, test } from "@jest/globals";
import type { DeliveryEvent } from "../events/event.js";
import {
  at,
  event,
  merged,
  minutes,
  opened,
  published,
  reviewed,
  run,
  sha,
} from "../story.test.kit.js";
import { makeReport } from "./make-report.js";

const DAY = 24 * 60;
const APP = { repository: "acme/app" };
const LIB = { repository: "acme/ui" };

/**
 * Returns a library's pull request: built in 10 minutes, merged at once, published 20 minutes later as this version.
 */
function library(pull: number, from: number, version: string): DeliveryEvent[] {
  return [
    opened(pull, from, LIB),
    ...run(pull, from, from + 10, { ...LIB, sha: sha(`head ${pull}`) }),
    merged(pull, from + 10, LIB),
    published(from + 30, {
      ...LIB,
      channel: "npm",
      key: `@acme/ui@${version}`,
      packages: [{ name: "@acme/ui", version }],
      sha: sha(`main ${pull}`),
    }),
  ];
}

/**
 * Returns the program's pull request in the application: built for 15 minutes, approved after 40, merged after 60,
 * published after 90.
 */
function upgrade(pull: number, from: number, version: string): DeliveryEvent[] {
  const head = sha(`head ${pull}`);
  return [
    opened(pull, from, { ...APP, bot: true }),
    event("pull-upgrades", from, {
      ...APP,
      pull,
      upgrades: [{ name: "@acme/ui", version }],
    }),
    ...run(100 + pull, from, from + 15, { ...APP, sha: head }),
    { ...reviewed(pull, from + 40), ...APP },
    merged(pull, from + 60, APP),
    published(from + 90, { ...APP, sha: sha(`main ${pull}`) }),
  ];
}

function reported(events: readonly DeliveryEvent[]) {
  const { until, slowest, coverage } = makeReport(events, {
    asOf: at(10 * DAY),
    days: 42,
    minimum: 1,
  });
  return {
    until,
    pulls: slowest.map(({ repository, pull, gross, headline, stages }) => ({
      pull: `${repository}#${pull}`,
      gross: minutes(gross),
      headline: minutes(headline ?? -1),
      ...Object.fromEntries(
        Object.entries(stages).flatMap(([name, ms]) =>
          ms > 0 ? [[name, minutes(ms)]] : [],
        ),
      ),
    })),
    excluded: [...coverage.unfinished, ...coverage.excluded].map(
      ({ reason, count }) => [reason, count],
    ),
  };
}

test("a library's change ends when the application that upgrades to it is published", () => {
  expect(
    reported([...library(1, 0, "1.1.0"), ...upgrade(7, DAY, "1.1.0")]),
  ).toEqual({
    until: "upgraded",
    pulls: [
      {
        pull: "acme/ui#1",
        gross: DAY + 90,
        headline: DAY + 45,
        build: 10,
        review: 25,
        approved: 20,
        "publish-wait": 50,
        // The time from the library's publication to the merge, without human stages.
        upgrade: DAY - 30 + 15,
      },
    ],
    excluded: [["bot", 1]],
  });
});

test("a skipped version is part of the next upgrade, and the last version is still waiting for one", () => {
  const { pulls, excluded } = reported([
    ...library(1, 0, "1.1.0"),
    ...library(2, 60, "1.2.0"),
    ...library(3, 2 * DAY, "1.3.0"),
    ...upgrade(7, DAY, "1.2.0"),
  ]);
  expect(pulls.map(({ pull, gross }) => [pull, gross])).toEqual([
    // The time up to the day of the report.
    ["acme/ui#3", 8 * DAY],
    ["acme/ui#1", DAY + 90],
    ["acme/ui#2", DAY + 30],
  ]);
  expect(excluded).toEqual([
    ["not-upgraded", 1],
    ["bot", 1],
  ]);
});

test("an upgrade that was merged before the version was published doesn't count", () => {
  // The first one upgrades to this very version, but is merged a minute before its publication. The second one counts.
  const { pulls } = reported([
    ...library(1, 100, "1.1.0"),
    ...upgrade(7, 69, "1.1.0"),
    ...upgrade(8, DAY, "1.1.0"),
  ]);
  expect(pulls.map(({ pull, gross }) => [pull, gross])).toEqual([
    ["acme/ui#1", DAY + 90 - 100],
  ]);
});

test("an upgrade to an earlier version, opened before the next one, doesn't contain the next one", () => {
  // It was opened before 1.2.0 was published, and merged after that.
  const { pulls } = reported([
    ...library(1, 0, "1.1.0"),
    ...library(2, 60, "1.2.0"),
    ...upgrade(7, 80, "1.1.0"),
  ]);
  expect(pulls.map(({ pull, gross }) => [pull, gross])).toEqual([
    ["acme/ui#2", 10 * DAY - 60],
    ["acme/ui#1", 80 + 90],
  ]);
});

test("an upgrade in the library's own repository doesn't count", () => {
  const { pulls } = reported([
    ...library(1, 0, "1.1.0"),
    opened(9, 100, { ...LIB, bot: true }),
    event("pull-upgrades", 100, {
      ...LIB,
      pull: 9,
      upgrades: [{ name: "@acme/ui", version: "1.1.0" }],
    }),
    merged(9, 120, LIB),
    published(140, { ...LIB, sha: sha("main 9") }),
    ...upgrade(7, DAY, "1.1.0"),
  ]);
  expect(pulls.map(({ pull, gross }) => [pull, gross])).toEqual([
    ["acme/ui#1", DAY + 90],
  ]);
});

test("a change that no other repository upgrades to ends with its publication", () => {
  const { until, pulls } = reported(library(1, 0, "1.1.0"));
  expect(until).toBe("published");
  expect(pulls.map(({ gross }) => gross)).toEqual([30]);
});

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { DeliveryEvent, EventOf, RunStarted } from "../events/event.js";
import { anyEvent } from "../events/events.test.kit.js";
import { mergeEvents } from "../events/merge-events.js";
import { linkEvents } from "./link-events.js";

const repository = "acme/web";
const sha = (digit: string) => digit.repeat(40);
const opened = (
  pull: number,
  at: number,
  more: Partial<EventOf<"pull-opened">> = {},
): EventOf<"pull-opened"> => ({
  kind: "pull-opened",
  repository,
  at,
  pull,
  author: "ann",
  bot: false,
  branch: "feature",
  base: "main",
  draft: false,
  fork: false,
  title: null,
  ...more,
});
const closed = (pull: number, at: number): DeliveryEvent => ({
  kind: "pull-closed",
  repository,
  at,
  pull,
});
const pushed = (at: number, digit: string): DeliveryEvent => ({
  kind: "branch-pushed",
  repository,
  at,
  branch: "feature",
  sha: sha(digit),
  forced: false,
});
const run = (
  at: number,
  digit: string,
  more: Partial<RunStarted> = {},
): RunStarted => ({
  kind: "run-started",
  repository,
  at,
  run: at,
  attempt: 1,
  workflow: "CI",
  path: null,
  event: "pull_request",
  branch: "feature",
  sha: sha(digit),
  pulls: [],
  created: at,
  ...more,
});

/** Returns the links that were added: pushes as `pull sha at`, runs as `run of pull`. */
function added(events: readonly DeliveryEvent[]): string[] {
  const before = new Set(
    mergeEvents(events).map((each) => JSON.stringify(each)),
  );
  return linkEvents(events).flatMap((event) => {
    if (before.has(JSON.stringify(event))) return [];
    if (event.kind === "pull-pushed")
      return [`${event.pull} ${event.sha.slice(0, 1)} ${event.at}`];
    return event.kind === "run-started"
      ? [`run ${event.run} of ${event.pulls.join()}`]
      : ["?"];
  });
}

test("a push belongs to the pull request that was open then, or else to the next one from that branch", () => {
  expect(
    added([
      pushed(10, "a"),
      opened(1, 20),
      pushed(30, "b"),
      closed(1, 40),
      pushed(50, "c"),
      opened(2, 60),
      pushed(70, "d"),
    ]),
  ).toEqual(["1 a 10", "1 b 30", "2 c 50", "2 d 70"]);
});

test("a branch of the same name in a fork is another branch", () => {
  expect(added([pushed(10, "a"), opened(1, 20, { fork: true })])).toEqual([]);
});

test("a fork's commits count as pushed when the first run for them was created, and a second run adds nothing", () => {
  expect(
    added([
      opened(1, 20, { fork: true }),
      run(30, "a"),
      run(31, "a"),
      run(50, "b"),
      run(60, "c", { event: "pull_request_target" }),
    ]),
  ).toEqual([
    "1 a 30",
    "run 30 of 1",
    "run 31 of 1",
    "1 b 50",
    "run 50 of 1",
    "run 60 of 1",
  ]);
});

test("a known push stays as it is, even if a run or the branch differs", () => {
  expect(
    added([
      opened(1, 20),
      {
        kind: "pull-pushed",
        repository,
        at: 25,
        pull: 1,
        sha: sha("a"),
        forced: true,
      },
      pushed(26, "a"),
      run(30, "a"),
    ]),
  ).toEqual(["run 30 of 1"]);
});

test("with two forks' branches of one name, the commit determines the pull request; otherwise none is named", () => {
  const merged: DeliveryEvent = {
    kind: "pull-merged",
    repository,
    at: 90,
    pull: 2,
    sha: sha("f"),
    head: sha("b"),
    base: "main",
    method: "squash",
  };
  const fork = { fork: true };
  expect(
    added([
      opened(1, 10, fork),
      opened(2, 20, fork),
      merged,
      run(30, "a"),
      run(40, "b"),
    ]),
  ).toEqual(["2 b 40", "run 40 of 2"]);
});

test("the branch of the merge queue names the pull request; runs of pushes have none", () => {
  const branch = `gh-readonly-queue/main/pr-1-${sha("e")}`;
  expect(
    added([
      opened(1, 10),
      closed(1, 15),
      run(30, "a", { event: "merge_group", branch }),
      run(40, "b", { event: "push" }),
      run(50, "c"),
    ]),
  ).toEqual(["run 30 of 1"]);
});

test("any order and portions, linked once or twice, result in the same events", () => {
  fc.assert(
    fc.property(fc.array(anyEvent), fc.nat(), (events, cut) => {
      const whole = mergeEvents(events);
      const linked = linkEvents(whole);
      const at = whole.length === 0 ? 0 : cut % whole.length;
      expect(linkEvents([...whole.slice(at), ...whole.slice(0, at)])).toEqual(
        linked,
      );
      expect(linkEvents(linked)).toEqual(linked);
    }),
  );
});

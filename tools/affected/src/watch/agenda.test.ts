import { expect, test } from "@jest/globals";
import type { RunEvent } from "@skein/runner";
import { openAgenda } from "./agenda.js";

const unit = (workspace: string, pulledIn = false) => ({
  id: `${workspace}#test`,
  ...{ workspace, version: "", dir: workspace, script: "test" },
  ...{ command: "x", args: [], pulledIn, dependsOn: [] },
});
const started = (name: string): RunEvent => ({
  kind: "started",
  unit: unit(name),
  at: 0,
});
const ended = (name: string, status: "no-script" | "cancelled"): RunEvent => ({
  kind: "ended",
  result:
    status === "cancelled"
      ? { status, unit: unit(name), started: false }
      : { status, unit: unit(name) },
  at: 0,
});

test("a run is outdated only by changes of packages that it is running", () => {
  const agenda = openAgenda();
  expect(agenda.affected(["a", "b", "c"])).toBe(false);
  expect(agenda.take()).toEqual(new Set(["a", "b", "c"]));
  expect(agenda.take()).toEqual(new Set());
  for (const name of ["a", "b", "c"]) agenda.affected([name]);
  expect(agenda.take()).toEqual(new Set(["a", "b", "c"]));
  agenda.seen(started("a"));
  agenda.seen(ended("a", "no-script"));
  agenda.seen(started("b"));
  // The package a has ended, and c has not started.
  expect(agenda.affected(["a", "c"])).toBe(false);
  expect(agenda.affected(["b"])).toBe(true);
  agenda.seen(ended("b", "cancelled"));
  agenda.seen(ended("c", "cancelled"));
  agenda.ended();
  expect(agenda.take()).toEqual(new Set(["a", "b", "c"]));
});

test("packages that a run did not reach are due again", () => {
  const agenda = openAgenda();
  agenda.affected(["a", "b"]);
  agenda.take();
  agenda.seen(ended("a", "no-script"));
  agenda.seen(ended("b", "cancelled"));
  agenda.ended();
  expect(agenda.take()).toEqual(new Set(["b"]));
  agenda.seen(ended("b", "no-script"));
  agenda.ended();
  expect(agenda.take()).toEqual(new Set());
});

import { expect, test } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import type { DispatchWorld } from "../world.js";
import { planFor, stateFor } from "./legs.test.kit.js";
import { openView } from "./view.js";

const plan = planFor({ a: [], b: [], c: [] });
const state = stateFor(plan);

/** Returns the output of a resumed launch: `a` has ended, `b` is running. */
async function shown(stderr: { isTTY: boolean; columns: number }, env = {}) {
  let text = "";
  let seconds = 0;
  const world = {
    stdout: { write: () => true },
    stderr: { ...stderr, write: (more: string) => (text += more) },
    now: () => seconds++ * 1000,
    env,
  } as unknown as DispatchWorld;
  const [a, b, c] = state.jobs;
  if (!a || !b || !c) throw new Error("no jobs");
  const jobs = [
    { ...a, phase: "ended" as const },
    { ...b, phase: "running" as const },
    c,
  ];
  const view = openView(world, plan, { ...state, jobs });
  view.onEvent({ kind: "asked", job: "c", machine: 1, again: false });
  const isLive = stderr.isTTY && !("CI" in env);
  while (isLive && !text.includes("\u001b[K")) await sleep(5);
  view.onEvent({ kind: "ended", job: "b", conclusion: "success" });
  view.close();
  return text;
}

test("on a terminal, one line is redrawn and cut to the width", async () => {
  const text = await shown({ isTTY: true, columns: 18 });
  expect(text.split("\n").map((line) => line.split("\r").at(-1))).toEqual([
    "requested c",
    "\u001b[K[2/3] b success",
    "",
  ]);
  const [, live = ""] = /\n([^\r]*)\r/.exec(text) ?? [];
  expect(live).toMatch(/^\[1\/3\] b 1\.0 s/);
  expect(live.length).toBeLessThan(18);
});

test.each([
  ["a pipe", { isTTY: false, columns: 80 }, {}],
  ["CI", { isTTY: true, columns: 80 }, { CI: "true" }],
])("%s has only plain lines", async (_, stderr, env) => {
  expect(await shown(stderr, env)).toBe("requested c\n[2/3] b success\n");
});

import { expect, test } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import type { PlannedJob } from "../plan.js";
import { openProgress } from "./progress.js";

const job = (id: string): PlannedJob => ({
  id,
  kind: "packages",
  expectedMs: 20_000,
  units: [],
});

/** Creates a stream that records what is written to it. */
function screen(isTTY: boolean) {
  const written: string[] = [];
  const stderr = {
    isTTY,
    columns: 60,
    write: (text: string) => written.push(text),
  };
  return { written, stderr: stderr as unknown as NodeJS.WriteStream };
}

test("on a terminal, one line is redrawn, and ended jobs stay above it", async () => {
  const { written, stderr } = screen(true);
  let now = 0;
  const progress = openProgress({ stderr, env: {}, now: () => now }, 2);
  progress.started(job("packages-1"));
  progress.started(job("packages-2"));
  now = 3_000;
  while (written.length === 0) await sleep(20);
  progress.ended(job("packages-1"), "green in 3.0 s", "");
  progress.close();
  // The line may be drawn any number of times.
  const drawn = written.join("").split("\r\u001b[K");
  expect([...new Set(drawn)]).toEqual([
    "[0/2] packages-1 3.0 s of 20 s, packages-2 3.0 s of 20 s",
    "[1/2] packages-1 green in 3.0 s\n",
  ]);
});

test.each([
  ["piped", false, {}],
  ["in a workflow", true, { CI: "true" }],
])("%s, there are only lines for ended jobs", async (_, isTTY, env) => {
  const { written, stderr } = screen(isTTY);
  const progress = openProgress({ stderr, env, now: () => 0 }, 1);
  progress.started(job("packages-1"));
  await sleep(300);
  progress.ended(job("packages-1"), "red in 3.0 s", "it failed\n\n");
  progress.close();
  expect(written).toEqual(["it failed\n", "[1/1] packages-1 red in 3.0 s\n"]);
});

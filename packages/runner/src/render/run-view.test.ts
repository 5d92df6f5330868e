import { expect, test } from "@jest/globals";
import { setTimeout as sleep } from "node:timers/promises";
import { openRunView, type RunViewOptions } from "./run-view.js";
import {
  sampleReport,
  sampleResults,
  sampleUnit,
} from "./sample-report.test.data.js";

const esc = "\u001b";
const tokens = new RegExp(`${esc}\\[\\d+A|${esc}\\[0J|\n|[^\n${esc}]+`, "g");

/** A terminal that supports the codes of the view: lines, up, and clear to the end. */
function terminal(columns: number) {
  const lines: string[] = [""];
  let row = 0;
  let widest = 0;
  return {
    isTTY: true,
    columns,
    write(text: string) {
      for (const [part] of text.matchAll(tokens)) {
        if (part === "\n") lines[++row] ??= "";
        else if (part.endsWith("A")) row -= Number(part.slice(2, -1));
        else if (part === `${esc}[0J`) lines.splice(row, lines.length, "");
        else {
          widest = Math.max(widest, part.length);
          lines[row] = part;
        }
      }
    },
    screen: () => lines.join("\n"),
    widest: () => widest,
  };
}

function view(options: Pick<RunViewOptions, "out" | "env">) {
  let at = 0;
  const opened = openRunView({
    plan: { units: sampleResults.map(({ unit }) => unit), broken: [] },
    mode: "failed",
    concurrency: 2,
    now: () => (at += 100),
    durations: new Map([["slow#test", 9_000]]),
    token: "t0k",
    ...options,
  });
  return opened;
}

test("a terminal shows a live area below the lines until the run ends", async () => {
  const out = terminal(40);
  const { onEvent, finish } = view({ out, env: { NO_COLOR: "1" } });
  for (const name of ["good", "bad"])
    onEvent({ kind: "started", unit: sampleUnit(name), at: 100 });
  await sleep(350);
  expect(out.screen()).toMatch(
    /^ {2}good#test [\d.]+ m?s\n {2}bad#test [\d.]+ m?s\n0\/9 done · 2 running .*…\n$/,
  );
  const [good] = sampleResults;
  if (good) onEvent({ kind: "ended", result: good, at: 300 });
  expect(out.screen()).toMatch(
    /^✓ good#test passed \(1\.2 s\)\n {2}processes that it left running were ended\n {2}bad#test .*\n1\/9 done · 1 running .*\n$/,
  );
  finish({ ...sampleReport, results: [], broken: [] });
  expect(out.screen()).toBe(
    "✓ good#test passed (1.2 s)\n  processes that it left running were ended\n0 scripts: nothing to run, in 1 min 05 s (interrupted)\n",
  );
  expect(out.widest()).toBeLessThan(60);
});

test.each([
  ["piped", {}, false, /^✓ good#test passed/],
  ["in CI", { CI: "true" }, true, /^✓ good#test passed/],
  [
    "in Actions",
    { GITHUB_ACTIONS: "true" },
    false,
    /^✓ good#test passed[^]*::group::✗ bad#test[^]*::t0k::/,
  ],
])("%s, nothing is redrawn", (_name, env, isTTY, expected) => {
  let text = "";
  const out = { isTTY, write: (more: string) => (text += more) };
  const { onEvent, finish } = view({ out, env: { ...env, NO_COLOR: "1" } });
  onEvent({ kind: "started", unit: sampleUnit("good"), at: 0 });
  onEvent({ kind: "output", unit: sampleUnit("good"), text: "noise" });
  for (const result of sampleResults) onEvent({ kind: "ended", result, at: 1 });
  finish({ ...sampleReport, results: [] });
  expect(text).toMatch(expected);
  expect(text).not.toContain("noise");
  // Units that never ran appear only in the summary, which has no results here.
  expect(text).not.toMatch(/not started|skipped, as/);
  expect(
    text.replaceAll(`${esc}[31m`, "").replaceAll(`${esc}[0m`, ""),
  ).not.toContain(esc);
});

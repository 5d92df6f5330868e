import { expect, test } from "@jest/globals";
import { progressFor } from "./live-progress.js";
import { silent } from "./progress.js";

/** Opens a progress on a terminal of 60 columns. @returns also the clock, and what was written */
function view(isTTY: boolean, env: Readonly<Record<string, string>> = {}) {
  const clock = { ms: 0 };
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const progress = progressFor({
    stderr: { isTTY, columns: 60, write },
    env,
    now: () => clock.ms,
  });
  return { progress, clock, written };
}

test("a line shows the phase, its speed and the time left, and disappears at the end", () => {
  const { progress, clock, written } = view(true);
  progress.advance(1);
  progress.phase("rewrite", 50_000);
  clock.ms = 50;
  progress.advance(600);
  clock.ms = 1_000;
  progress.advance(1_200);
  clock.ms = 1_099;
  progress.advance(1_300);
  clock.ms = 10_000;
  progress.advance(50_000);
  progress.phase("read");
  clock.ms = 12_000;
  progress.advance(4);
  progress.end();
  progress.advance(5);
  expect(written.join("").split("\r\u001b[K")).toMatchInlineSnapshot(`
[
  "Rewriting commits",
  "Rewriting commits: 1,200 of 50,000 commits, 1,200/s, 41 s …",
  "Rewriting commits: 50,000 of 50,000 commits, 5,000/s",
  "Reading its history",
  "Reading its history: 4 commits, 2/s",
  "",
]
`);
});

test("logs and CI get no line", () => {
  expect(view(false).progress).toBe(silent);
  expect(view(true, { CI: "true" }).progress).toBe(silent);
});

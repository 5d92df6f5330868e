import { expect, test } from "@jest/globals";
import { openMeter } from "@skein/metrics-store/sync";
import { openSyncProgress } from "./progress.js";

/** Creates a terminal that records its output, and a clock that advances by a second per call. */
function view(isTTY: boolean, env: Readonly<Record<string, string>> = {}) {
  let text = "";
  let at = 0;
  const meter = openMeter(undefined);
  const write = (part: string) => {
    text += part;
    return true;
  };
  const stderr = { write, isTTY, columns: 71 };
  const now = () => (at += 1000);
  const progress = openSyncProgress({ stderr, now, env }, meter);
  return { meter, progress, text: () => text };
}
const answer = (remaining: number, resource = "core") =>
  ({ cost: 1, resource, remaining, resetAt: 0 }) as const;

test("a bar shows the progress, the requests used, and the requests left in this hour", () => {
  const { meter, progress, text } = view(true);
  progress.show("pull requests", 0);
  meter.observe(answer(4999));
  meter.observe(answer(4321, "graphql"));
  progress.show("pushes", 0.26);
  progress.note("the hour's requests are used up; waiting 3 min");
  progress.show("publications", 7);
  progress.close();
  const erase = "\r\u001b[K";
  expect(text().split(erase)).toEqual([
    "[--------------------] 1/5 pull requests, 0 requests",
    // Of several limits, it shows the scarcest. The line is cut to the terminal's width.
    "[#####---------------] 2/5 pushes, 2 requests, 4,321 left in this hour",
    "note: the hour's requests are used up; waiting 3 min\n[####################] 5/5 publications, 2 requests, 4,321 left in th…",
    "",
  ]);
});

test("without a terminal, there is a line for each stage", () => {
  for (const { progress, text } of [view(false), view(true, { CI: "true" })]) {
    progress.show("pull requests", 0);
    progress.show("pull requests", 1);
    progress.note("a note");
    progress.show("runs", 0.5);
    progress.close();
    expect(text()).toBe("reading pull requests\nnote: a note\nreading runs\n");
  }
});

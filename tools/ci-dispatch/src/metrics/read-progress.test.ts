import { expect, test } from "@jest/globals";
import { openReadProgress } from "./read-progress.js";

test.each([
  [
    { isTTY: true, env: {} },
    "\r\u001b[2Kreading 2 of 3 files, 1,200 events\r\u001b[2K",
  ],
  [{ isTTY: true, env: { CI: "true" } }, ""],
  [{ isTTY: false, env: {} }, ""],
])(
  "%j: one line at a time, a quarter of a second apart",
  ({ isTTY, env }, all) => {
    let text = "";
    let clock = 0;
    const stderr = {
      isTTY,
      write: (chunk: string) => {
        text += chunk;
        return true;
      },
    };
    const progress = openReadProgress({ stderr, env, now: () => clock }, 3);
    progress.show(1, 600);
    clock = 250;
    progress.show(2, 1200);
    progress.show(3, 1800);
    progress.close();
    expect(text).toBe(all);
  },
);

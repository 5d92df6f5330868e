import { expect, test } from "@jest/globals";
import { openProgress } from "./progress.js";

test.each([
  [{ isTTY: true, env: {} }, "2 files\r\u001b[K"],
  [{ isTTY: true, env: { CI: "true" } }, ""],
  [{ isTTY: false, env: {} }, ""],
])(
  "%j: one line at a time, redrawn every quarter of a second",
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
    const progress = openProgress({ stderr, env, now: () => clock });
    progress.show(() => "1 file");
    clock = 250;
    progress.show(() => "2 files");
    progress.show(() => "3 files");
    progress.close();
    progress.close();
    expect(text).toBe(all);
  },
);

import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";

/**
 * Writes 80 MB into eight stores of records by turns, drops seven of them, and prints the resident memory before and
 * after. A collection frees memory in another thread, and the next collection waits for that.
 */
const PROGRAM = `
  const { Records } = await import(process.argv[1]);
  const all = Array.from({ length: 8 }, () => new Records());
  const record = new Uint8Array(1000).fill(1);
  for (let turn = 0; turn < 80_000; turn++) all[turn % 8].add(turn, record);
  const before = process.memoryUsage.rss();
  all.length = 1;
  globalThis.gc();
  globalThis.gc();
  console.log(JSON.stringify([before - process.memoryUsage.rss(), all[0].size]));`;

test("dropped records return their memory to the system, even if others were written between them", () => {
  const output = execFileSync(
    process.execPath,
    [
      ...["--expose-gc", "--input-type=module", "--eval", PROGRAM],
      new URL("records.js", import.meta.url).href,
    ],
    { encoding: "utf8" },
  );
  const [returned, left] = JSON.parse(output) as number[];
  // In small chunks, none of the 70 MB returned.
  expect(returned).toBeGreaterThan(50e6);
  expect(left).toBe(10_000);
});

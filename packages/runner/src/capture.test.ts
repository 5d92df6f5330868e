import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { tempDir } from "@skein/testing";
import { openCapture } from "./capture.js";

test("characters are never split, and both ends of output beyond the cap are kept", async () => {
  await using dir = await tempDir();
  let number = 0;
  const unit = fc.constantFrom("a", "é", "€", "😀", "\n");
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit, maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      fc.integer({ min: 8, max: 400 }),
      async (text, sizes, cap) => {
        const file = join(dir.path, String(number++));
        let reported = "";
        const capture = openCapture({
          cap,
          file,
          onText: (more) => (reported += more),
        });
        const stream = new PassThrough();
        capture.take(stream);
        const bytes = Buffer.from(text);
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          stream.write(bytes.subarray(at, at + size));
          at += size;
        }
        stream.end();
        await new Promise((resolve) => stream.once("close", resolve));
        const output = await capture.finish();
        expect(reported).toBe(text);
        expect(output.bytes).toBe(bytes.length);
        if (bytes.length <= cap) {
          expect(output).toEqual({ text, bytes: bytes.length });
          expect(existsSync(file)).toBe(false);
          return;
        }
        expect(await readFile(file, "utf8")).toBe(text);
        const [, start = "", left, end = ""] =
          /^([^]*)\n… (\d+) bytes are omitted here …\n([^]*)$/.exec(
            output.text,
          ) ?? [];
        expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
        expect(
          Buffer.byteLength(start) + Buffer.byteLength(end) + Number(left),
        ).toBe(bytes.length);
        // Each end loses at most three bytes of a cut character.
        expect(
          Buffer.byteLength(start) + Buffer.byteLength(end),
        ).toBeGreaterThan(2 * Math.floor(cap / 2) - 7);
      },
    ),
    { numRuns: 60 },
  );
});

test("if the file can't be written, only the middle of the output is lost", async () => {
  await using dir = await tempDir();
  const capture = openCapture({ cap: 10, file: join(dir.path, "no", "x") });
  const stream = new PassThrough();
  capture.take(stream);
  for (let i = 0; i < 100; i++) stream.write("0123456789".repeat(5_000));
  stream.end("the end");
  await new Promise((resolve) => stream.once("close", resolve));
  expect(await capture.finish()).toEqual({
    text: "01234\n… 4999997 bytes are omitted here …\ne end",
    bytes: 5_000_007,
  });
});

test("a stream pauses while the file is slow, and then continues", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "slow");
  execFileSync("mkfifo", [file]);
  const capture = openCapture({ cap: 10, file });
  const stream = new PassThrough();
  capture.take(stream);
  const chunk = "0123456789".repeat(10_000);
  let sent = 0;
  // Nothing reads the file yet, so the stream must pause when its buffers are full.
  while (!stream.isPaused() && sent < 100) {
    stream.write(chunk);
    sent++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(stream.isPaused()).toBe(true);
  stream.end();
  let read = 0;
  createReadStream(file).on("data", (bytes) => (read += bytes.length));
  await new Promise((resolve) => stream.once("close", resolve));
  const { bytes } = await capture.finish();
  expect(bytes).toBe(sent * chunk.length);
  while (read < bytes) await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBe(bytes);
});

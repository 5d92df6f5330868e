import { describe, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

const index = new URL("./index.js", import.meta.url).href;

/** Starts a tool of this kind in its own process. */
function start(body: string): ChildProcessByStdio<null, Readable, Readable>;
function start(body: string, stdout: number): ChildProcess;
function start(body: string, stdout: number | "pipe" = "pipe"): ChildProcess {
  const program = `import { runCli, worldOf } from ${JSON.stringify(index)};
    const body = async (world) => { ${body} };
    process.exitCode = await runCli("tool", worldOf(process, Date.now), body);`;
  return spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", stdout, "pipe"],
  });
}

describe("the process of a tool", () => {
  test("continues and preserves its exit code if the reader closes its pipe", async () => {
    const tool = start(
      `for (let i = 0; i < 50; i++) { world.stdout.write("line\\n".repeat(2e4)); await new Promise((go) => setTimeout(go, 2)); }
       world.stderr.write("done");
       return 1;`,
    );
    const output: Buffer[] = [];
    tool.stderr.on("data", (bytes: Buffer) => output.push(bytes));
    await once(tool.stdout, "data");
    tool.stdout.destroy();
    expect(await once(tool, "close")).toEqual([1, null]);
    expect(Buffer.concat(output).toString()).toBe("done");
  });

  test("more than ten listeners for Ctrl-C cause no warning", async () => {
    const tool = start(
      `for (let i = 0; i < 11; i++) world.signal.addEventListener("abort", () => i);
       return 0;`,
    );
    expect([await text(tool.stderr), await once(tool, "close")]).toEqual([
      "",
      [0, null],
    ]);
  });

  test.each([
    ["little and more", 10, 3],
    ["more than a pipe holds at once", 200_000, 1],
    ["much, again and again", 60_000, 20],
  ])("writes all output in order: %s", async (_, length, times) => {
    const tool = start(
      `for (let i = 0; i < ${times}; i++) world.stdout.write(String(i % 10).repeat(${length}) + "é\\n");
       return 0;`,
    );
    const output = await text(tool.stdout);
    expect(output).toBe(
      Array.from(
        { length: times },
        (_, i) => `${String(i % 10).repeat(length)}é\n`,
      ).join(""),
    );
  });

  test("writes all output to a full non-blocking pipe", async () => {
    const tool = start(
      `const { writeSync } = await import("node:fs");
       process.stdout; // Node tells a pipe not to wait, once it is opened.
       let filled = 0;
       try { while (true) filled += writeSync(1, "a".repeat(1000)); } catch (error) { if (error.code !== "EAGAIN") throw error; }
       world.stdout.write("b".repeat(60_000));
       world.stderr.write(String(filled));
       return 0;`,
    );
    const [filled] = (await once(tool.stderr, "data")) as [Buffer];
    expect(await text(tool.stdout)).toBe(
      "a".repeat(Number(filled)) + "b".repeat(60_000),
    );
  });

  test("reports an uncaught error as a bug, without the line of the source", async () => {
    const tool = start(
      `setTimeout(() => { throw new TypeError("of a listener"); }, 1);
       return new Promise((go) => setTimeout(go, 1e6, 0));`,
    );
    const [output, ended] = [text(tool.stderr), once(tool, "close")];
    expect((await output).split("\n    at ")[0]).toBe(
      "tool: this is a bug\nhint: report it with these lines: https://github.com/skein-tools/skein/issues/new/choose\nTypeError: of a listener",
    );
    expect(await ended).toEqual([3, null]);
  });

  test.each([
    ["at once", `world.stdout.write("a");`],
    ["through a stream", `world.stdout.isTTY; world.stdout.write("a");`],
  ])("reports a full disk, %s", async (_, write) => {
    const full = await open("/dev/full", "w");
    const tool = start(`${write} return 0;`, full.fd);
    const output = tool.stderr ? text(tool.stderr) : "";
    await once(tool, "close");
    await full.close();
    expect([await output, tool.exitCode]).toEqual([
      "tool: the output can't be written: ENOSPC: no space left on device, write\n",
      3,
    ]);
  });

  test("passes the first SIGTERM on to the tool, which ends with its own exit code", async () => {
    const tool = start(
      `const waiting = setInterval(() => {}, 1e6);
       world.stdout.write("ready");
       await new Promise((go) => world.signal.addEventListener("abort", go));
       clearInterval(waiting);
       world.stdout.write(" and aborted");
       world.signal.throwIfAborted();
       return 0;`,
    );
    const [output, errors] = [text(tool.stdout), text(tool.stderr)];
    await once(tool.stdout, "data");
    tool.kill("SIGTERM");
    expect([await once(tool, "close"), await output, await errors]).toEqual([
      [3, null],
      "ready and aborted",
      "tool: interrupted by SIGTERM\n",
    ]);
  });
});

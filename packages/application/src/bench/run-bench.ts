import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { tempDir } from "@skein/testing";
import { skeinRoot } from "../packed.js";
import { readMachine } from "./machine.js";
import { openBlock, type Block } from "./report/document.js";
import type { Machine } from "./report/report.js";

/** A benchmark as a command of this repository. */
interface Bench<Options> {
  /** The command line that starts it. */
  readonly name: string;
  readonly usage: string;
  /** Parses the arguments. @throws an error for the user if they are wrong */
  readonly parse: (args: readonly string[]) => Options;
  /** The comments around its block in the document that `--out` names. */
  readonly block: Block;
  /**
   * Measures everything.
   * @param folder to work in
   * @param say prints progress
   * @returns a function that renders the report as Markdown
   */
  readonly measure: (
    options: Options,
    folder: string,
    log: (line: string) => void,
  ) => Promise<(made: Made) => string>;
}

/** The machine and the command line of a run. */
interface Made {
  readonly machine: Machine;
  readonly command: string;
}

/** Runs a benchmark for this process's arguments. Progress goes to stderr, the report to stdout. */
export async function runBench<
  Options extends {
    readonly out: string | undefined;
    readonly dir: string | undefined;
  },
>({ name, usage, parse, block, measure }: Bench<Options>): Promise<void> {
  const started = performance.now();
  const log = (line: string) => {
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stderr.write(`[${seconds} s] ${line}\n`);
  };
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    process.stdout.write(usage);
    return;
  }
  const opened = await open(args, parse, block).catch((error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
  });
  if (!opened) return;
  const { options, document } = opened;
  const { dir } = options;
  await using temporary = dir === undefined ? await tempDir() : undefined;
  const folder = resolve(temporary?.path ?? dir ?? ".");
  await mkdir(folder, { recursive: true });
  const machine = readMachine();
  const render = await measure(options, folder, log);
  const report = render({
    machine: { ...machine, load: [machine.load[0], readMachine().load[0]] },
    command: [name, ...args].join(" "),
  });
  process.stdout.write(report);
  await document?.replace(report);
  log("done");
}

async function open<Options extends { readonly out: string | undefined }>(
  args: readonly string[],
  parse: (args: readonly string[]) => Options,
  block: Block,
) {
  const options = parse(args);
  const { out } = options;
  const document =
    out === undefined
      ? undefined
      : await openBlock(resolve(skeinRoot, out), block);
  return { options, document };
}

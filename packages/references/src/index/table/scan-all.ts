import * as nodeModule from "node:module";
import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { FactsCoder, FactsDecoder, type FactsPart } from "./coded-facts.js";
import {
  type FileSource,
  type FileToScan,
  partOfFiles,
  scanFiles,
} from "./scan-files.js";
import { loadScanner } from "../../scan/load-scanner.js";
import type { ScannedPart, WorkerStart } from "./worker.js";

/** Below this number of files, starting threads costs more than it saves. */
const FEW = 1500;
const CHUNK = 250;

/** Below this number of files, the scan ends before code that is optimized early pays off. */
const MANY = 20_000;

/**
 * Flags of V8 in Node 20, and those of its default. Compiling functions with optimizations takes a third of the processor time
 * of a first index: so V8 copies fewer functions into those that call them, and in a small scan, it begins later (decision
 * 118).
 */
const FLAGS = {
  all: ["--max-inlined-bytecode-size-cumulative=200"],
  few: ["--interrupt-budget=400000"],
  default: [
    "--max-inlined-bytecode-size-cumulative=920",
    "--interrupt-budget=67584",
  ],
};
/** Node 22 and later cache compiled code, and compile in smaller steps. */
const HAS_FLAGS = !("enableCompileCache" in nodeModule);

/** Receives the facts of files, beginning at the place `start`. */
export type ReceiveFacts = (start: number, facts: FactsPart) => void;

/**
 * Scans files on all cores.
 * @param take is called with one part of the files at a time, in any order, until all files are scanned
 */
export async function scanAll(
  files: readonly FileToScan[],
  source: FileSource,
  take: ReceiveFacts,
): Promise<void> {
  source.git.signal?.throwIfAborted();
  const workers = Math.min(availableParallelism(), 8);
  if (files.length < FEW || workers < 2) {
    const scanBytes = await loadScanner();
    const facts = await scanFiles(files, source, scanBytes);
    const coded = new FactsCoder().code(facts);
    take(0, new FactsDecoder().part(coded));
    return;
  }
  const parts: string[] = [];
  for (let start = 0; start < files.length; start += CHUNK)
    parts.push(partOfFiles(files.slice(start, start + CHUNK)));
  const next = new Int32Array(new SharedArrayBuffer(4));
  setFlags([...FLAGS.all, ...(files.length < MANY ? FLAGS.few : [])]);
  try {
    await Promise.all(
      Array.from({ length: workers }, () =>
        runWorker(source, { parts, next }, take),
      ),
    );
  } finally {
    setFlags(FLAGS.default);
  }
}

function setFlags(flags: readonly string[]): void {
  if (HAS_FLAGS) for (const flag of flags) setFlagsFromString(flag);
}

function runWorker(
  { git, dir, absent }: FileSource,
  work: Pick<WorkerStart, "parts" | "next">,
  take: ReceiveFacts,
): Promise<void> {
  const { cwd, env, signal } = git;
  const workerData: WorkerStart = { cwd, env, dir, absent, ...work };
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    workerData,
  });
  const decoder = new FactsDecoder();
  const done = new AbortController();
  return new Promise<void>((resolve, reject) => {
    worker.on("message", (scanned: ScannedPart | undefined) => {
      if (signal?.aborted) return;
      if (scanned) take(scanned.part * CHUNK, decoder.part(scanned.coded));
      else resolve();
    });
    // When files are read ahead, the result may never be used.
    signal?.addEventListener("abort", () => reject(signal.reason as Error), {
      signal: done.signal,
    });
    worker.on("error", reject);
    worker.on("messageerror", reject);
  })
    .catch(async (error: unknown) => {
      await worker.terminate();
      throw error;
    })
    .finally(() => done.abort());
}

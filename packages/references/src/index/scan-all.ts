import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import {
  type CodedFacts,
  FactsCoder,
  FactsDecoder,
  type FactsPart,
} from "./coded-facts.js";
import { type FileSource, type FileToScan, scanFiles } from "./scan-files.js";
import type { WorkerStart } from "./worker.js";

/** Below this many files the threads' start costs more than they save. */
const FEW = 1500;
const CHUNK = 250;

/** Takes what was found in files, from the place `start` on. */
export type TakeFacts = (start: number, facts: FactsPart) => void;

/**
 * Scans files on all cores.
 * @param take is called with a part of the files at a time, in any order, until all came
 */
export async function scanAll(
  files: readonly FileToScan[],
  source: FileSource,
  take: TakeFacts,
): Promise<void> {
  source.git.signal?.throwIfAborted();
  const workers = Math.min(availableParallelism(), 8);
  if (files.length < FEW || workers < 2) {
    const coded = new FactsCoder().code(await scanFiles(files, source));
    take(0, new FactsDecoder().part(coded));
    return;
  }
  let next = 0;
  const nextStart = () => {
    const start = next;
    next += CHUNK;
    return start < files.length ? start : undefined;
  };
  await Promise.all(
    Array.from({ length: workers }, () =>
      runWorker(source, files, nextStart, take),
    ),
  );
}

function runWorker(
  { git, dir, absent }: FileSource,
  files: readonly FileToScan[],
  nextStart: () => number | undefined,
  take: TakeFacts,
): Promise<void> {
  const workerData: WorkerStart = { cwd: git.cwd, env: git.env, dir, absent };
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    workerData,
  });
  const decoder = new FactsDecoder();
  return new Promise<void>((resolve, reject) => {
    // One part is being scanned, and the next waits in the thread, so that it never waits for this one.
    const sent: number[] = [];
    const send = () => {
      const start = nextStart();
      if (start === undefined) return;
      sent.push(start);
      worker.postMessage(files.slice(start, start + CHUNK));
    };
    worker.on("message", (answer: CodedFacts) => {
      const start = sent.shift() ?? 0;
      send();
      take(start, decoder.part(answer));
      if (sent.length > 0) return;
      worker.postMessage(undefined);
      resolve();
    });
    // Whoever reads ahead may find that nobody asks.
    git.signal?.addEventListener("abort", () =>
      reject(git.signal?.reason as Error),
    );
    worker.on("error", reject);
    worker.on("messageerror", reject);
    send();
    send();
    if (sent.length > 0) return;
    worker.postMessage(undefined);
    resolve();
  }).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
}

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FileFacts } from "../reference.js";
import { type FileSource, type FileToScan, scanFiles } from "./scan-files.js";
import type { WorkerStart } from "./worker.js";

/** Below this many files the threads' start costs more than they save. */
const FEW = 1500;
const CHUNK = 500;

/** Scans files on all cores. @returns facts in the same order; undefined for a blob that git does not have here */
export async function scanAll(
  files: readonly FileToScan[],
  source: FileSource,
): Promise<readonly (FileFacts | undefined)[]> {
  const workers = Math.min(availableParallelism(), 8);
  if (files.length < FEW || workers < 2) return scanFiles(files, source);
  const results: (FileFacts | undefined)[] = [];
  let next = 0;
  const take = () => {
    const start = next;
    next += CHUNK;
    return start < files.length ? start : undefined;
  };
  await Promise.all(
    Array.from({ length: workers }, () =>
      runWorker(source, files, take, (start, facts) => {
        facts.forEach((one, i) => (results[start + i] = one ?? undefined));
      }),
    ),
  );
  return results;
}

function runWorker(
  { git, dir, absent }: FileSource,
  files: readonly FileToScan[],
  take: () => number | undefined,
  done: (start: number, facts: readonly (FileFacts | null)[]) => void,
): Promise<void> {
  const workerData: WorkerStart = { cwd: git.cwd, env: git.env, dir, absent };
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    workerData,
  });
  return new Promise<void>((resolve, reject) => {
    let start = take();
    const send = () => {
      if (start === undefined) resolve();
      else worker.postMessage(files.slice(start, start + CHUNK));
    };
    worker.on("message", (answer: string) => {
      done(start ?? 0, JSON.parse(answer) as (FileFacts | null)[]);
      start = take();
      send();
    });
    worker.on("error", reject);
    worker.on("messageerror", reject);
    send();
  }).finally(() => void worker.terminate());
}

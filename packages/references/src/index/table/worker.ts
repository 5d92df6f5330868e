import { parentPort, workerData } from "node:worker_threads";
import { openGit, openObjects } from "@skein/git";
import { type CodedFacts, FactsCoder } from "./coded-facts.js";
import { loadScanner } from "../../scan/load-scanner.js";
import { filesOfPart, scanFiles } from "./scan-files.js";

/** The data that the main thread gives a worker at its start. */
export interface WorkerStart {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly dir: string | undefined;
  readonly absent: ReadonlySet<string>;
  /** All files, in parts. */
  readonly parts: readonly string[];
  /** The number of the next free part, shared by all workers, so that none of them waits for the main thread. */
  readonly next: Int32Array;
}

/** The facts that a worker found in one part. At the end, it sends undefined. */
export interface ScannedPart {
  readonly part: number;
  readonly coded: CodedFacts;
}

const { cwd, env, dir, absent, parts, next } = workerData as WorkerStart;
const git = openGit({ cwd, env });
// Open for all parts, so that not each of them starts a git process.
const objects = openObjects(git);
const coder = new FactsCoder();
const scanBytes = await loadScanner();
for (;;) {
  const part = Atomics.add(next, 0, 1);
  const text = parts[part];
  if (text === undefined) break;
  const source = { git, dir, absent };
  const facts = await scanFiles(filesOfPart(text), source, scanBytes);
  const coded = coder.code(facts);
  const scanned: ScannedPart = { part, coded };
  parentPort?.postMessage(scanned, [coded.numbers.buffer as ArrayBuffer]);
}
parentPort?.postMessage(undefined);
// When its git is closed, the thread ends.
objects.close();

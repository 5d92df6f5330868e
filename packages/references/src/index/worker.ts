import { parentPort, workerData } from "node:worker_threads";
import { openGit, openObjects } from "@skein/git";
import { type CodedFacts, FactsCoder } from "./coded-facts.js";
import { filesOfPart, scanFiles } from "./scan-files.js";

/** What the main thread tells a worker at its start. */
export interface WorkerStart {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly dir: string | undefined;
  readonly absent: ReadonlySet<string>;
  /** All files, a part at a time. */
  readonly parts: readonly string[];
  /** The number of the part that nobody has taken yet, shared by all workers: none ever waits for the main thread. */
  readonly next: Int32Array;
}

/** What a worker found in one part; at the end it says undefined. */
export interface ScannedPart {
  readonly part: number;
  readonly coded: CodedFacts;
}

const { cwd, env, dir, absent, parts, next } = workerData as WorkerStart;
const git = openGit({ cwd, env });
// Held as long as there is work, so that not each part of the files starts a git.
const objects = openObjects(git);
const coder = new FactsCoder();
for (;;) {
  const part = Atomics.add(next, 0, 1);
  const text = parts[part];
  if (text === undefined) break;
  const facts = await scanFiles(filesOfPart(text), { git, dir, absent });
  const coded = coder.code(facts);
  const scanned: ScannedPart = { part, coded };
  parentPort?.postMessage(scanned, [coded.numbers.buffer as ArrayBuffer]);
}
parentPort?.postMessage(undefined);
// With its git closed, the thread ends by itself.
objects.close();

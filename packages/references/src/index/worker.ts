import { parentPort, workerData } from "node:worker_threads";
import { openGit, openObjects } from "@skein/git";
import { FactsCoder } from "./coded-facts.js";
import { type FileToScan, scanFiles } from "./scan-files.js";

/** What the main thread tells a worker at its start. */
export interface WorkerStart {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly dir: string | undefined;
  readonly absent: ReadonlySet<string>;
}

const { cwd, env, dir, absent } = workerData as WorkerStart;
const git = openGit({ cwd, env });
// Held as long as there is work, so that not each part of the files starts a git.
const objects = openObjects(git);
const coder = new FactsCoder();
const port = parentPort;
let last = Promise.resolve();
port?.on("message", (files: readonly FileToScan[] | undefined) => {
  // Nothing more comes: with its git and its port closed, the thread ends by itself.
  if (!files) {
    objects.close();
    port.close();
    return;
  }
  last = last.then(async () => {
    const facts = await scanFiles(files, { git, dir, absent });
    const coded = coder.code(facts);
    port.postMessage(coded, [coded.numbers.buffer as ArrayBuffer]);
  });
});

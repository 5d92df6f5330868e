import { parentPort, workerData } from "node:worker_threads";
import { openGit } from "@skein/git";
import { type FileToScan, scanFiles } from "./scan-files.js";

/** What the main thread tells a worker at its start. */
export interface WorkerStart {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly dir: string | undefined;
  readonly absent: ReadonlySet<string>;
}

const { cwd, env, dir, absent } = workerData as WorkerStart;
const port = parentPort;
port?.on("message", (files: readonly FileToScan[]) => {
  // One string crosses threads far quicker than a hundred thousand small objects.
  // A failure is left unhandled on purpose: it ends the thread, and the main thread hears of it as `error`.
  void scanFiles(files, { git: openGit({ cwd, env }), dir, absent }).then(
    (facts) =>
      port.postMessage(JSON.stringify(facts.map((one) => one ?? null))),
  );
});

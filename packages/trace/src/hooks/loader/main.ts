// Runs in Node's own thread for ES modules, and writes a line for each module that is loaded from a file. See
// ../main.cts.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { InitializeHook, LoadHook } from "node:module";

let file: string | undefined;

/** Receives the folder of the logs. */
export const initialize: InitializeHook<string> = (folder) => {
  file = join(folder, `${process.pid}-modules.log`);
};

/** Records each module that is loaded from a file. */
export const load: LoadHook = (url, context, next) => {
  if (file !== undefined && url.startsWith("file:")) {
    const event = {
      kind: "read",
      path: fileURLToPath(url.replace(/[?#].*$/, "")),
    };
    appendFileSync(
      file,
      `${process.hrtime.bigint()} ${JSON.stringify(event)}\n`,
    );
  }
  return next(url, context);
};

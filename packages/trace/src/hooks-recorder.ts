import { mkdirSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Job, Unit } from "@skein/runner";
import type { Gap, TraceEvent } from "./event.js";
import { Observer } from "./observe.js";
import { withPrivateCaches } from "./private-caches.js";
import { readHookLogs } from "./read-hook-logs.js";
import type { Recorder, RecorderOptions, Recording } from "./recorder.js";
import { PathResolver } from "./resolve-path.js";
import { lostRecording, readLink } from "./strace-recorder.js";

/** The folder of the files that the hooks themselves load. */
const HOOKS = fileURLToPath(new URL("./hooks/", import.meta.url));

function isOwn(event: TraceEvent): boolean {
  return "path" in event && event.path.startsWith(HOOKS);
}

/**
 * Records what goes through Node's `fs` and loaders. It doesn't record other programs, so its recordings are never
 * complete.
 */
export class HooksRecorder implements Recorder {
  readonly kind = "hooks";
  readonly why: string;
  private readonly options: RecorderOptions;
  private readonly folders = new Map<string, string>();
  private count = 0;

  constructor(options: RecorderOptions, why: string) {
    this.options = options;
    this.why = why;
  }

  launch({ id }: Unit, job: Job): Job {
    const folder = join(this.options.folder, String(this.count++));
    const logs = join(folder, "logs");
    mkdirSync(logs, { recursive: true });
    this.folders.set(id, folder);
    const main = fileURLToPath(new URL("./hooks/main.cjs", import.meta.url));
    // Node supports quotes here, and backslashes inside them.
    const hook = `--require "${main.replace(/["\\]/g, "\\$&")}"`;
    const own = job.env["NODE_OPTIONS"];
    return {
      ...job,
      env: {
        ...withPrivateCaches(job.env, folder),
        NODE_OPTIONS: own === undefined ? hook : `${own} ${hook}`,
        SKEIN_TRACE_FOLDER: logs,
      },
    };
  }

  async take({ id }: Unit): Promise<Recording> {
    const folder = this.folders.get(id);
    if (folder === undefined)
      return lostRecording("the unit was not started under the recorder");
    try {
      const logs = join(folder, "logs");
      const names = await readdir(logs);
      const texts = await Promise.all(
        names.map((name) => readFile(join(logs, name), "utf8")),
      );
      const { events, unreadable } = readHookLogs(texts);
      const observer = new Observer(new PathResolver(readLink));
      for (const event of events) if (!isOwn(event)) observer.take(event);
      const gaps: Gap[] = [{ kind: "hooks", why: this.why }];
      if (unreadable > 0)
        gaps.push({ kind: "lost", what: "lines of a process that was ended" });
      return { observations: observer.observations(), gaps };
    } finally {
      this.folders.delete(id);
      await rm(folder, { recursive: true, force: true });
    }
  }
}

import { execFile } from "node:child_process";
import { createReadStream, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job, Unit } from "@skein/runner";
import type { Gap, TraceEvent } from "./event.js";
import { Observer } from "./observe.js";
import { withPrivateCaches } from "./private-caches.js";
import type { Recorder, RecorderOptions, Recording } from "./recorder.js";
import { PathResolver } from "./resolve-path.js";
import { CALLS } from "./strace/calls.js";
import { StraceParser } from "./strace/strace-parser.js";

/**
 * The first calls of a new process or thread: `set_robust_list` with glibc, `sigaltstack` in Go. They have no effect
 * here. strace stops a new process at every call, until it stops at one that is in the filter.
 */
const FIRST_CALLS = ["set_robust_list", "sigaltstack"];

/** Calls with results in memory that doesn't matter, so strace needn't read it. */
const RESULT_ONLY = [
  ...["stat", "lstat", "newfstatat", "statx", "statfs"],
  ...["stat64", "lstat64", "fstatat64", "statfs64"],
  ...["getdents", "getdents64"],
];

/** Returns names of calls in strace's form. `?` allows processors without the call. */
const calls = (names: readonly string[]) =>
  names.map((name) => `?${name}`).join(",");

/**
 * strace's options, without the file:
 * - `-f` follows children and threads; `--seccomp-bpf` stops only at the calls in the filter (strace 5.3);
 * - `-y` prints the paths of descriptors, so that a path relative to a folder's descriptor is complete;
 * - `-s 4096` prevents truncated paths (PATH_MAX).
 */
const OPTIONS = [
  ...["-f", "--seccomp-bpf", "-y", "-s", "4096", "-a", "1"],
  ...["-e", "signal=none"],
  ...["-e", `trace=${calls([...Object.keys(CALLS), ...FIRST_CALLS])}`],
  ...["-e", `verbose=!${calls(RESULT_ONLY)}`],
];

/**
 * Checks whether strace works here. It may be missing or too old, or tracing may be forbidden.
 * @returns why not; undefined if it works
 */
export async function whyNoStrace(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): Promise<string | undefined> {
  if (platform !== "linux") return "strace runs on Linux only";
  try {
    await promisify(execFile)(
      "strace",
      [...OPTIONS, "-o", "/dev/null", "true"],
      { env },
    );
    return undefined;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === "ENOENT") return "strace is not installed";
    const [line = ""] = (stderr ?? "").trim().split("\n");
    return `strace does not work here: ${line || String(code)}`;
  }
}

interface Running {
  readonly file: string;
  readonly folder: string;
  readonly marker: string;
  readonly cwd: string;
}

/** Records with strace. */
export class StraceRecorder implements Recorder {
  readonly kind = "strace";
  readonly why = undefined;
  private readonly options: RecorderOptions;
  private readonly cwd: string;
  private readonly running = new Map<string, Running>();
  private count = 0;

  /** @param cwd the folder in which this program was started; launchers start there */
  constructor(options: RecorderOptions, cwd: string) {
    this.options = options;
    this.cwd = cwd;
  }

  launch({ id }: Unit, job: Job): Job {
    const folder = join(this.options.folder, String(this.count++));
    const file = `${folder}.strace`;
    const marker = join(folder, "begin");
    const isYarn = this.options.viaYarn !== undefined;
    const cwd = isYarn ? job.cwd : this.cwd;
    this.running.set(id, { file, folder, marker, cwd });
    return {
      ...job,
      env: withPrivateCaches(job.env, folder),
      launcher: { program: "strace", args: [...OPTIONS, "-o", file], marker },
    };
  }

  async take({ id }: Unit): Promise<Recording> {
    const running = this.running.get(id);
    if (!running)
      return lostRecording("the unit was not started under the recorder");
    try {
      return await this.read(running);
    } finally {
      this.running.delete(id);
      await rm(running.file, { force: true });
      await rm(running.folder, { recursive: true, force: true });
    }
  }

  private async read({ file, marker, cwd }: Running): Promise<Recording> {
    const parser = new StraceParser(cwd);
    const observer = new Observer(new PathResolver(readLink));
    const { viaYarn } = this.options;
    // The events before the marker are the start of our own shell.
    let hasBegun = viaYarn !== undefined;
    const take = (events: readonly TraceEvent[]) => {
      for (const event of events)
        if (hasBegun) observer.take(event);
        else hasBegun = event.kind === "missing" && event.path === marker;
    };
    const gaps: Gap[] = [];
    try {
      for await (const line of linesOf(file)) take(parser.push(line));
    } catch (error) {
      gaps.push({ kind: "lost", what: (error as Error).message });
    }
    const { events, lost } = parser.end();
    take(events);
    if (viaYarn !== undefined) gaps.push({ kind: "yarn", why: viaYarn });
    if (!hasBegun) gaps.push({ kind: "lost", what: "the script's beginning" });
    for (const what of lost) gaps.push({ kind: "lost", what });
    return { observations: observer.observations(), gaps };
  }
}

/** Yields the lines of a file, without their ends. strace writes only ASCII. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, {
    encoding: "latin1",
    highWaterMark: 2 ** 20,
  }) as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Returns an empty recording with the reason for it. */
export function lostRecording(what: string): Recording {
  return {
    observations: new Observer(new PathResolver(readLink)).observations(),
    gaps: [{ kind: "lost", what }],
  };
}

/** Reads the target of a symlink. @returns undefined if the path isn't a symlink or doesn't exist */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

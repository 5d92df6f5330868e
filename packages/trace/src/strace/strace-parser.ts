import { addTo } from "@skein/reporting/group-by";
import type { TraceEvent } from "../event.js";
import { effectOf } from "./calls.js";
import { readCall, readLine, type Call } from "./read-call.js";

/** The working folder of one process, or of threads that share it. */
interface Folder {
  path: string | undefined;
}

/** The program of a process, shared by its threads. */
interface Program {
  readonly isYarn: boolean;
  readonly isNode: boolean;
}

const UNKNOWN: Program = { isYarn: false, isNode: false };

interface Process {
  folder: Folder;
  program: Program;
  /**
   * The beginning of an interrupted call, and the working folder at that time. Another thread may change the folder
   * before the call returns.
   */
  begun:
    | { readonly text: string; readonly cwd: string | undefined }
    | undefined;
}

/** A line that came before the start of its process. */
interface WaitingLine {
  readonly line: string;
  /** Its place among the waiting lines. */
  readonly number: number;
}

/** The end of strace's output. */
export interface StraceEnd {
  /** The calls that the parser didn't understand, and the missing ones. */
  readonly lost: readonly string[];
}

/**
 * Parses the output of `strace -f -y -o FILE`, line by line. It joins interrupted calls, tracks each process's working
 * folder through chdir, fork and threads, and turns calls into events. It reads nothing but the lines.
 *
 * Lines of a new process may come before the end of the call that started it. They wait until then.
 */
export class StraceParser {
  private readonly cwd: string;
  private readonly processes = new Map<number, Process>();
  /** The lines of processes whose start isn't recorded yet, by process. */
  private readonly waiting = new Map<number, WaitingLine[]>();
  private waited = 0;
  /** The lines that are read now because their processes became known, in the order of strace's output. */
  private replayed: WaitingLine[] | undefined;
  private readonly lost = new Set<string>();
  private root: number | undefined;
  private rootEnded = false;

  /** @param cwd the working folder of the first process, absolute */
  constructor(cwd: string) {
    this.cwd = cwd;
  }

  /** Reads one line, without its end. @returns its events, usually none or one */
  push(line: string): readonly TraceEvent[] {
    if (line === "") return [];
    const read = readLine(line);
    if (read.kind === "unknown") {
      this.lost.add("a line that is not strace's");
      return [];
    }
    const known = this.processOf(read.pid);
    if (!known) {
      const waiting = { line, number: this.waited++ };
      addTo(this.waiting, read.pid, waiting);
      return [];
    }
    switch (read.kind) {
      case "signal":
        return [];
      case "ended":
        if (read.pid === this.root) this.rootEnded = true;
        this.processes.delete(read.pid);
        return [];
      case "replaced":
        // The call continues under the id of the process.
        known.begun = this.processes.get(read.by)?.begun;
        this.processes.delete(read.by);
        return [];
      case "unfinished":
        known.begun = { text: read.text, cwd: learn(known, read.text) };
        return [];
      case "resumed": {
        const { begun } = known;
        known.begun = undefined;
        if (begun) return this.call(known, begun.text + read.text, begun.cwd);
        this.lost.add("the beginning of a call");
        return [];
      }
      case "call":
        return this.call(known, read.text, learn(known, read.text));
    }
  }

  /** Ends the parsing. @returns the events of processes whose start was never recorded, and what was lost */
  end(): StraceEnd & { readonly events: readonly TraceEvent[] } {
    const events: TraceEvent[] = [];
    for (const pid of this.waiting.keys()) {
      this.lost.add("the start of a process");
      events.push(...this.adopt(pid, { path: undefined }));
    }
    if (!this.rootEnded) this.lost.add("the end of the recording");
    return { events, lost: [...this.lost].sort() };
  }

  private processOf(pid: number): Process | undefined {
    if (this.root === undefined) {
      this.root = pid;
      this.processes.set(pid, {
        folder: { path: this.cwd },
        program: UNKNOWN,
        begun: undefined,
      });
    }
    return this.processes.get(pid);
  }

  private call(
    process: Process,
    text: string,
    cwd: string | undefined,
  ): readonly TraceEvent[] {
    const call = readCall(text);
    // A process that was killed never returns from its call.
    if (!call) {
      if (!/\)\s*= \?/.test(text)) this.lost.add("a call that cannot be read");
      return [];
    }
    const { isNode } = process.program;
    const effect = effectOf(call, { cwd, isNode });
    if (effect.lost !== undefined) this.lost.add(effect.lost);
    if (effect.cwd !== undefined) process.folder.path = effect.cwd;
    const events = process.program.isYarn
      ? effect.events.map(byYarn)
      : effect.events;
    if (call.name.startsWith("execve") && call.result === "0")
      process.program = programOf(call);
    if (!effect.child) return events;
    const { pid, shares } = effect.child;
    // If another thread changed the folder during the call, it isn't known which folder the new process got.
    const isSame = process.folder.path === cwd;
    const folder = shares ? process.folder : { path: isSame ? cwd : undefined };
    return [...events, ...this.adopt(pid, folder, process.program)];
  }

  /**
   * Adds a process that is known from now on, and reads its waiting lines. A thread that starts in one of them changes the
   * same folder: its waiting lines are read between those of its process, as strace wrote them.
   * @returns the events of these lines; none within such a line
   */
  private adopt(
    pid: number,
    folder: Folder,
    program: Program = UNKNOWN,
  ): readonly TraceEvent[] {
    const lines = this.waiting.get(pid) ?? [];
    this.waiting.delete(pid);
    this.processes.set(pid, { folder, program, begun: undefined });
    if (this.replayed) {
      this.replayed = [...this.replayed, ...lines].sort(
        (a, b) => a.number - b.number,
      );
      return [];
    }
    this.replayed = lines;
    const events: TraceEvent[] = [];
    for (let next; (next = this.replayed.shift());)
      events.push(...this.push(next.line));
    this.replayed = undefined;
    return events;
  }
}

/**
 * Returns the program of a process from the call that starts it: from its file and its arguments, as strace writes
 * them.
 */
function programOf({ name, args }: Call): Program {
  const [file = "", words = ""] = args.slice(name === "execveat" ? 1 : 0);
  return {
    isYarn: isYarn(words),
    isNode: /(?:^|["/])node"$/.test(file),
  };
}

/**
 * Returns whether the arguments of a process, as strace writes them, start Yarn:
 * `["node", "/…/yarn-4.1.0.cjs", "run", …]`.
 */
function isYarn(args: string): boolean {
  const words = args.match(/"(?:[^"\\]|\\.)*"/g)?.slice(1, MOST_OPTIONS) ?? [];
  return words.some((word) => /\/yarn(?:-[\w.-]+)?\.[cm]?js"$/.test(word));
}

/** The number of words in which Yarn's file is searched, because Node's own options may come before it. */
const MOST_OPTIONS = 5;

/**
 * Turns files that Yarn itself read into files that it found. Yarn reads the manifests of all packages to run one
 * script, and selection compares these by their meaning. Processes that Yarn starts count as usual.
 */
function byYarn(event: TraceEvent): TraceEvent {
  return event.kind === "read" ? { kind: "found", path: event.path } : event;
}

/**
 * Learns the working folder from a call that contains it: `openat(AT_FDCWD</folder>`.
 * @returns the folder of the process
 */
function learn({ folder }: Process, text: string): string | undefined {
  const named = /^\w+\(AT_FDCWD<(\/[^>\\]*)>/.exec(text)?.[1];
  if (named !== undefined && !named.endsWith(" (deleted)")) folder.path = named;
  return folder.path;
}

import { ExitCode, Failure, type Out } from "@skein/reporting";
import { PHASES, type Phase, type Progress } from "./progress.js";

/**
 * The version of every event (schemas/events.schema.json). It may get new fields, but no field is changed or removed.
 */
const VERSION = 1;

/** Returns a problem for programs: its code, and its data. */
export function coded({ code, ...data }: { readonly code: string }): object {
  return { code, data };
}

/** Returns `{"event":"landed", …}`: the migration or sync is in the workspace. @param head the branch's commit */
export function landedEvent(name: string, head: string): object {
  return { event: "landed", name, head };
}

/** Returns `{"event":"aborted", …}` or `{"event":"undone", …}`: the workspace is as it was before. */
export function rolledBackEvent(
  event: "aborted" | "undone",
  name: string,
): object {
  return { event, name };
}

/** Returns `{"event":"conflicts", …}`: a merge is in the working tree, for people to resolve. */
export function conflictsEvent(paths: readonly string[]): object {
  return { event: "conflicts", paths };
}

/** Returns `{"event":"done", …}`, the last event if nothing failed or was refused. */
export function doneEvent(exitCode: number): object {
  return { event: "done", exitCode };
}

/** Returns an event as a line, with its version. */
export function eventLine(event: object): string {
  return `${JSON.stringify({ version: VERSION, ...event })}\n`;
}

/** Returns `{"event":"failed", …}`, always the last event: the environment or the input is wrong, or there is a bug. */
export function failedEvent(error: unknown): object {
  const isFailure = error instanceof Failure;
  return {
    event: "failed",
    bug: !isFailure,
    sentence: error instanceof Error ? error.message : String(error),
    ...(isFailure && { hint: error.hint, place: error.place }),
    exitCode: isFailure ? error.exitCode : ExitCode.Unfinished,
  };
}

/**
 * Returns a progress that writes `{"event":"phase"}` and `{"event":"progress"}`, the latter at most once per second.
 */
export function jsonProgress(stdout: Out, now: () => number): Progress {
  let current: Phase | undefined;
  let printedAt = 0;
  const event = (value: object) => stdout.write(eventLine(value));
  return {
    phase(id, total) {
      current = id;
      printedAt = now();
      event({ event: "phase", phase: id, title: PHASES[id], total });
    },
    advance(done) {
      if (now() - printedAt < 1000) return;
      printedAt = now();
      event({ event: "progress", phase: current, done });
    },
    end: () => undefined,
  };
}

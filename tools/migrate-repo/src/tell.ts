import type { Out } from "@skein/reporting";
import { doneEvent, eventLine, refusalEvents } from "./render-json.js";
import { exitCodeOf, type Refusal } from "./refusals/index.js";
import { renderRefusals } from "./render.js";
import type { MigrateWorld } from "./world.js";

/** How a command gives its answer: people get the words, who asked for `--json` the events, and nobody both. */
export type Tell = (words: string, ...events: readonly object[]) => void;

/** For people. */
export function tellWords(stdout: Out): Tell {
  return (words) => void stdout.write(words);
}

/** For programs. `end` writes the last line, unless a refusal was that. */
export function tellEvents(stdout: Out): {
  readonly tell: Tell;
  readonly end: (exitCode: number) => void;
} {
  let isRefused = false;
  const tell: Tell = (_words, ...events) => {
    for (const event of events) {
      isRefused = "event" in event && event.event === "refused";
      stdout.write(eventLine(event));
    }
  };
  return {
    tell,
    end: (exitCode) => {
      if (!isRefused) tell("", doneEvent(exitCode));
    },
  };
}

/** Ends a command that cannot begin. @returns the exit code */
export function refuse(
  { progress, stderr, tell }: MigrateWorld,
  refusals: readonly Refusal[],
): number {
  progress.end();
  tell("", ...refusalEvents(refusals));
  stderr.write(renderRefusals(refusals));
  return exitCodeOf(refusals);
}

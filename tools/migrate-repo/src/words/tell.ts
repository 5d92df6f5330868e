import { wrapWords, type Out } from "@skein/reporting";
import type { Tell } from "../world.js";
import { doneEvent, eventLine } from "./events.js";

/** Returns an output for people. */
export function tellWords(stdout: Out): Tell {
  return (words) => {
    stdout.write(wrapWords(words, stdout.isTTY ? stdout.columns : undefined));
  };
}

/** Returns an output for programs. `end` writes the last line, unless that was a refusal. */
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

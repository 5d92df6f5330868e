import { writeWords, type Out } from "@skein/reporting";
import type { Print } from "../world.js";
import { doneEvent, eventLine } from "./events.js";

/** Returns an output for people. */
export function printWords(stdout: Out): Print {
  return (words) => writeWords(stdout, words);
}

/** Returns an output for programs. `end` writes the last line, unless that was a refusal. */
export function printEvents(stdout: Out): {
  readonly print: Print;
  readonly end: (exitCode: number) => void;
} {
  let isRefused = false;
  const print: Print = (_words, ...events) => {
    for (const event of events) {
      isRefused = "event" in event && event.event === "refused";
      stdout.write(eventLine(event));
    }
  };
  return {
    print,
    end: (exitCode) => {
      if (!isRefused) print("", doneEvent(exitCode));
    },
  };
}

import type { BatchRow } from "./render-batch.js";

/** Returns why a repository is blocked; empty if it isn't. */
export function reasonsOf({ notes = [] }: BatchRow): readonly string[] {
  return notes
    .filter(({ topic }) => topic === "blocked")
    .map(({ text }) => text);
}

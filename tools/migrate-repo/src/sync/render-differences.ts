import { shellWord } from "@skein/git";
import { count, printable, some } from "@skein/reporting";
import type { MigrationRecord } from "../record/record-format.js";
import { present } from "../words/problem-words.js";
import type { TipDifference } from "./compare-tips.js";

/** Returns the differences in words, a line for each reason. */
export function differenceLines(
  { tip, branch }: MigrationRecord,
  differences: readonly TipDifference[],
): readonly string[] {
  const here = differences.filter(({ why }) => why.kind === "changed-here");
  const dropped = differences.filter(({ why }) => why.kind === "dropped-there");
  const where = `the source's ${printable(branch)} (${tip.new.slice(0, 12)})`;
  return present([
    dropped.length > 0 &&
      `${count(dropped.length, "file differs", "files differ")} from ${where}, because ${dropped.length === 1 ? "it keeps changes" : "they keep changes"} of commits that the source dropped: ${shown(dropped)}. To restore the source's version: git restore --source=${tip.new.slice(0, 12)} --staged --worktree -- ${dropped.map(({ path }) => shellWord(printable(path))).join(" ")}`,
    here.length > 0 &&
      `${count(here.length, "file differs", "files differ")} from ${where}, because ${here.length === 1 ? "it was" : "they were"} changed here: ${shown(here)}.`,
  ]);
}

function shown(differences: readonly TipDifference[]): string {
  return some(
    differences.map(({ path, why }) =>
      why.kind === "dropped-there"
        ? `${path} (${why.commit.slice(0, 12)})`
        : path,
    ),
  );
}

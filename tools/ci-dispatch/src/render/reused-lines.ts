import { count } from "@skein/reporting";
import { groupBy } from "@skein/reporting/group-by";
import { isOfMachine } from "../failure-classes.js";
import type { Attested, NotReused } from "../plan.js";
import type { JudgedUnit, Verdict } from "../verdict.js";

/** The maximum number of units that a line names. The JSON of the plan and the verdict contains all of them. */
const MOST_NAMES = 5;

/**
 * Returns where reused units passed: a line for each run that attested some of them, or a single line if a run judged the
 * same tree green, as in the merge queue.
 */
export function reusedLines({
  reused = [],
  sameTree,
}: Pick<Verdict, "reused" | "sameTree">): readonly string[] {
  if (sameTree)
    return [
      `reused ${namesOf(reused)}: run ${sameTree.run} judged the same tree green, at commit ${shortCommit(sameTree.commit)}, ${sameTree.at}`,
    ];
  const byRun = groupBy(reused, ({ run, by = "" }) => `${by} ${run}`);
  return [...byRun.values()].flatMap((units) => {
    const [first] = units;
    if (!first) return [];
    const where = `at commit ${shortCommit(first.commit)}, ${first.at}`;
    return [
      first.by === "trace"
        ? `skipped ${namesOf(units)}: passed under trace in run ${first.run}, ${where}, and nothing that it read has changed`
        : `reused ${namesOf(units)}: passed in run ${first.run} under the same fingerprint, ${where}`,
    ];
  });
}

/** Returns why units that had passed ran again, a line for each reason. */
export function notReusedLines(
  units: readonly Pick<JudgedUnit, "whole" | "notReused">[],
): readonly string[] {
  const having = units.flatMap(({ whole, notReused }) =>
    notReused ? [{ whole, notReused }] : [],
  );
  return [...groupBy(having, ({ notReused }) => reasonWords(notReused))].map(
    ([reason, each]) => `not reused: ${namesOf(each)}: ${reason}`,
  );
}

/** Returns which units run although they could be reused, a line for each run in which they passed. */
export function checkedLines(
  units: readonly Pick<JudgedUnit, "whole" | "recheck">[],
): readonly string[] {
  const checked = units.flatMap(({ whole, recheck }) =>
    recheck ? [{ whole, ...recheck }] : [],
  );
  const byRun = groupBy(checked, ({ run, by = "" }) => `${by} ${run}`);
  return [...byRun.values()].map((each) => {
    const [{ run, by } = { run: "", by: undefined }] = each;
    return by === "trace"
      ? `checked: ${namesOf(each)}: passed under trace in run ${run}, and nothing that it read has changed; run anyway, to check the evidence`
      : `checked: ${namesOf(each)}: passed in run ${run} under the same fingerprint; run anyway, to check the fingerprint`;
  });
}

/** Returns why one unit isn't reused, as text. */
export function notReusedWords(why: NotReused): string {
  return why.kind === "changed"
    ? `${reasonWords(why)}, in run ${why.since.run} at commit ${shortCommit(why.since.commit)}, ${why.since.at}`
    : reasonWords(why);
}

function reasonWords(why: NotReused): string {
  switch (why.kind) {
    case "changed":
      return `the field "${why.field}" of its fingerprint differs from that of the last passing run`;
    case "varies":
      return `it may read ${why.variables.join(", ")}, which ${why.variables.length === 1 ? "differs" : "differ"} in each run`;
    case "failed":
      return `it failed under the same fingerprint in run ${why.run}`;
  }
}

/**
 * Returns a line for each unit that failed under a fingerprint under which it had passed: its result depends on an input that
 * isn't in the fingerprint.
 */
export function falseHitLines(units: readonly JudgedUnit[]): readonly string[] {
  return units.filter(isFalseHit).map(({ id, recheck, fields = {} }) => {
    if (recheck.by === "trace")
      return `false hit: ${id} failed, and passed under trace in run ${recheck.run} at commit ${shortCommit(recheck.commit)}, since when nothing that it read has changed. It depends on something that no trace shows, such as the date; "affected.evidence": "off" runs it always`;
    const names = Object.keys(fields).join(", ");
    const held = names === "" ? "" : `; its fields are the same: ${names}`;
    return `false hit: ${id} failed, and passed in run ${recheck.run} at commit ${shortCommit(recheck.commit)} under the same fingerprint${held}. \`affected fingerprint --explain\` lists what they hold, and \`cache.env\` adds a variable`;
  });
}

/**
 * Returns whether a checked unit failed under the fingerprint under which it had passed, or although nothing that it read has
 * changed. A machine's failure doesn't count.
 */
export function isFalseHit(
  unit: JudgedUnit,
): unit is JudgedUnit & { readonly recheck: Attested } {
  return (
    unit.recheck !== undefined &&
    unit.state === "failed" &&
    (unit.recheck.by === "trace"
      ? !isOfMachine(unit.failure)
      : unit.under !== undefined)
  );
}

function shortCommit(commit: string): string {
  return commit.slice(0, 12);
}

/** Returns the names of units: `a#test`, `2 units (a#test, b#test)`, `9 units (a#test, …)`. Shards of a unit count once. */
function namesOf(units: readonly { readonly whole: string }[]): string {
  const names = [...new Set(units.map(({ whole }) => whole))];
  if (names.length === 1) return names.join("");
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return `${count(names.length, "unit")} (${shown}${names.length > MOST_NAMES ? ", …" : ""})`;
}

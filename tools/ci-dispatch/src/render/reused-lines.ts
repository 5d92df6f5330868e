import { count } from "@skein/reporting";
import type { Reused } from "../plan.js";
import type { JudgedUnit } from "../verdict.js";

/** Returns where reused units passed, a line for each run that attested some. */
export function reusedLines(reused: readonly Reused[] = []): readonly string[] {
  const byRun = new Map<string, Reused[]>();
  for (const unit of reused) {
    const list = byRun.get(unit.run);
    if (list) list.push(unit);
    else byRun.set(unit.run, [unit]);
  }
  return [...byRun].map(([run, [first, ...others]]) =>
    first
      ? `reused ${others.length === 0 ? first.whole : count(others.length + 1, "unit")}: passed in run ${run} under the same fingerprint, at commit ${first.commit.slice(0, 12)}, ${first.at}`
      : "",
  );
}

/** Returns a line for each unit that passed under its fingerprint before, and failed now. */
export function falseHitLines(units: readonly JudgedUnit[]): readonly string[] {
  return units.flatMap(({ id, recheck, state }) =>
    recheck && state === "failed"
      ? [
          `false hit: ${id} failed, and passed in run ${recheck.run} under the same fingerprint; compare them with \`affected fingerprint --explain\` and --diff ${recheck.commit.slice(0, 12)}`,
        ]
      : [],
  );
}

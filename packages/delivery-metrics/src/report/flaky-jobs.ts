import type { Conclusion } from "../events/event.js";
import { ownJobs } from "../events/run-end.js";
import type { RunFacts } from "../facts/facts.js";
import type { FlakyName } from "./report.js";

/** The counts of a flaky job. */
interface Tally {
  flakes: number;
  of: number;
  /** The last run that was counted, so that a run with several attempts counts once. */
  run: readonly RunFacts[] | undefined;
}

/**
 * Returns the jobs that failed and then passed, with the number of runs in which each ended.
 * @param runs the ended attempts of each run
 * @param ended the conclusions that count as an end
 */
export function flakyJobs(
  runs: readonly (readonly RunFacts[])[],
  ended: readonly Conclusion[],
): readonly FlakyName[] {
  // By workflow and then by job: there may be a hundred thousand jobs, and few of them are flaky.
  const tallies = new Map<string, Map<string, Tally>>();
  for (const attempts of runs) {
    for (const name of flakesIn(attempts)) {
      const workflow = attempts[0]?.started.workflow ?? "";
      const own = tallies.get(workflow) ?? new Map<string, Tally>();
      tallies.set(workflow, own);
      const tally = own.get(name) ?? { flakes: 0, of: 0, run: undefined };
      own.set(name, tally);
      tally.flakes++;
    }
  }
  for (const run of runs)
    for (const { started, completed } of run) {
      const own = tallies.get(started.workflow);
      if (!own) continue;
      for (const { name, conclusion } of completed?.jobs ?? []) {
        const tally = own.get(name);
        if (!tally || tally.run === run || !ended.includes(conclusion))
          continue;
        tally.run = run;
        tally.of++;
      }
    }
  return [...tallies].flatMap(([workflow, own]) =>
    [...own].map(([job, { flakes, of }]) => ({
      kind: "job" as const,
      name: `${workflow} / ${job}`,
      flakes,
      of,
      rate: flakes / of,
    })),
  );
}

/** Returns the jobs that failed in one attempt and succeeded in a later one. */
function flakesIn(attempts: readonly RunFacts[]): readonly string[] {
  if (attempts.length < 2) return [];
  const words = new Map<string, Conclusion[]>();
  for (const { started, completed } of attempts)
    for (const { name, conclusion } of ownJobs(
      completed?.jobs ?? [],
      started.attempt,
      started.at,
    )) {
      const list = words.get(name);
      if (list) list.push(conclusion);
      else words.set(name, [conclusion]);
    }
  return [...words]
    .filter(([, list]) => failedThenPassed(list))
    .map(([name]) => name);
}

/**
 * Returns whether a run or job was flaky: a `failure` is followed by a `success`, in this order. Other conclusions,
 * such as infrastructure failures, are ignored. This is the only formula for runs and for jobs.
 */
export function failedThenPassed(
  words: readonly (Conclusion | undefined)[],
): boolean {
  const failed = words.indexOf("failure");
  return failed >= 0 && words.indexOf("success", failed) > failed;
}

import type { Conclusion, RunJudged } from "../events/event.js";
import { ownJobs } from "../events/run-end.js";
import type { Facts, RepositoryFacts, RunFacts } from "../facts/facts.js";
import { failedThenPassed, flakyJobs } from "./flaky-jobs.js";
import { rate, total } from "./rate.js";
import type { FlakyName, Flakes, Infrastructure } from "./report.js";
import type { Bounds } from "./windows.js";
import { within } from "./windows.js";

/** GitHub's conclusions for infrastructure failures: the run never started, ran out of time, or was lost. */
const INFRASTRUCTURE: readonly Conclusion[] = [
  "startup_failure",
  "timed_out",
  "stale",
];
/**
 * Conclusions of attempts that ended with a result. Skipped and cancelled attempts, and those that wait for somebody,
 * have none.
 */
const ENDED: readonly Conclusion[] = ["success", "failure", ...INFRASTRUCTURE];
const MOST_NAMED = 20;

/** Counts the runs and verdicts of a window that failed and then passed on the same commit. */
export function flakesOf(facts: Facts, window: Bounds): Flakes {
  const runs: (readonly RunFacts[])[] = [];
  for (const repository of facts.repositories.values())
    for (const attempts of attemptsByRun(repository)) {
      const ended = attempts.filter(
        ({ completed }) => completed && ENDED.includes(completed.conclusion),
      );
      const last = ended.at(-1)?.completed;
      if (last && within(window, last.at)) runs.push(ended);
    }
  const flaky = runs.filter(
    (attempts) =>
      attempts.length > 1 &&
      failedThenPassed(attempts.map(({ completed }) => completed?.conclusion)),
  );
  const verdicts = facts.verdicts.filter(({ at }) => within(window, at));
  return {
    runs: rate(flaky.length, runs.length),
    units: rate(
      total(verdicts, (verdict) => verdict.flaky.length),
      total(verdicts, (verdict) => verdict.units),
    ),
    worst: [...flakyJobs(runs, ENDED), ...flakyUnits(verdicts)]
      .sort(
        (a, b) =>
          b.flakes - a.flakes || b.rate - a.rate || (a.name < b.name ? -1 : 1),
      )
      .slice(0, MOST_NAMED),
  };
}

function flakyUnits(verdicts: readonly RunJudged[]): readonly FlakyName[] {
  const flakes = new Map<string, number>();
  for (const verdict of verdicts)
    for (const name of new Set(verdict.flaky))
      flakes.set(name, (flakes.get(name) ?? 0) + 1);
  return [...flakes].map(([name, times]) => ({
    kind: "unit",
    name,
    flakes: times,
    of: verdicts.length,
    rate: times / verdicts.length,
  }));
}

/** Counts the infrastructure failures among the attempts and verdicts that ended in a window. */
export function infrastructureOf(facts: Facts, window: Bounds): Infrastructure {
  let attempts = 0;
  let failed = 0;
  for (const { runs } of facts.repositories.values())
    for (const { started, completed } of runs) {
      if (
        !completed ||
        !within(window, completed.at) ||
        !ENDED.includes(completed.conclusion)
      )
        continue;
      attempts++;
      if (
        isInfrastructure(completed) ||
        ownJobs(completed.jobs, started.attempt, started.at).some(
          isInfrastructure,
        )
      )
        failed++;
    }
  const verdicts = facts.verdicts.filter(({ at }) => within(window, at));
  return {
    attempts: rate(failed, attempts),
    units: rate(
      total(verdicts, ({ infrastructure }) => infrastructure.length),
      total(verdicts, ({ units }) => units),
    ),
  };
}

function attemptsByRun({ runs }: RepositoryFacts): Iterable<RunFacts[]> {
  const byRun = new Map<number, RunFacts[]>();
  for (const run of runs) {
    const list = byRun.get(run.started.run);
    if (list) list.push(run);
    else byRun.set(run.started.run, [run]);
  }
  for (const list of byRun.values())
    list.sort((a, b) => a.started.attempt - b.started.attempt);
  return byRun.values();
}

function isInfrastructure({
  conclusion,
}: {
  readonly conclusion: Conclusion;
}): boolean {
  return INFRASTRUCTURE.includes(conclusion);
}

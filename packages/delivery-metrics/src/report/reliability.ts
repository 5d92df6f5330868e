import type { Conclusion, DeliveryEvent, RunJudged } from "../events/event.js";
import { ownJobs } from "../events/run-end.js";
import type { RepositoryFacts, RunFacts } from "../facts/facts.js";
import type { FlakyName, Flakes, Infrastructure, Rate } from "./report.js";
import type { Bounds } from "./windows.js";
import { within } from "./windows.js";

/** GitHub's words for a machine that failed, not a test: it never started, ran out of time, or was lost. */
const INFRASTRUCTURE: readonly Conclusion[] = [
  "startup_failure",
  "timed_out",
  "stale",
];
/** What came to an end, good or bad; neither skipped, cancelled, nor waiting for somebody. */
const ENDED: readonly Conclusion[] = ["success", "failure", ...INFRASTRUCTURE];
const MOST_NAMED = 20;

/** What failed and then passed on the same commit, over the runs and verdicts that ended in a window. */
export function flakesOf(
  repositories: Iterable<RepositoryFacts>,
  events: readonly DeliveryEvent[],
  window: Bounds,
): Flakes {
  const names = new Map<string, FlakyName>();
  const flaked = (kind: FlakyName["kind"], name: string) => {
    const flakes = (names.get(`${kind} ${name}`)?.flakes ?? 0) + 1;
    names.set(`${kind} ${name}`, { kind, name, flakes });
  };
  let runs = 0;
  let flakyRuns = 0;
  for (const facts of repositories)
    for (const attempts of attemptsByRun(facts)) {
      const ended = attempts.filter(
        ({ completed }) => completed && ENDED.includes(completed.conclusion),
      );
      const last = ended.at(-1)?.completed;
      if (!last || !within(window, last.at)) continue;
      runs++;
      if (failedThenPassed(ended.map(({ completed }) => completed?.conclusion)))
        flakyRuns++;
      for (const name of flakyJobs(ended)) flaked("job", name);
    }
  const verdicts = verdictsOf(events, window);
  for (const name of verdicts.flatMap(({ flaky }) => flaky))
    flaked("unit", name);
  return {
    runs: rate(flakyRuns, runs),
    units: rate(
      total(verdicts, ({ flaky }) => flaky.length),
      total(verdicts, ({ units }) => units),
    ),
    worst: [...names.values()]
      .sort((a, b) => b.flakes - a.flakes || (a.name < b.name ? -1 : 1))
      .slice(0, MOST_NAMED),
  };
}

/** What failed because of a machine, over the attempts and verdicts that ended in a window. */
export function infrastructureOf(
  repositories: Iterable<RepositoryFacts>,
  events: readonly DeliveryEvent[],
  window: Bounds,
): Infrastructure {
  let attempts = 0;
  let failed = 0;
  for (const { runs } of repositories)
    for (const { started, completed } of runs) {
      if (
        !completed ||
        !within(window, completed.at) ||
        !ENDED.includes(completed.conclusion)
      )
        continue;
      attempts++;
      const words = [
        completed.conclusion,
        ...ownJobs(completed.jobs, started.attempt, started.at).map(
          ({ conclusion }) => conclusion,
        ),
      ];
      if (words.some((word) => INFRASTRUCTURE.includes(word))) failed++;
    }
  const verdicts = verdictsOf(events, window);
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

/** Jobs that an attempt ran in vain and a later one with success. */
function flakyJobs(attempts: readonly RunFacts[]): readonly string[] {
  if (attempts.length < 2) return [];
  const words = new Map<string, Conclusion[]>();
  for (const { started, completed } of attempts)
    for (const { name, conclusion } of ownJobs(
      completed?.jobs ?? [],
      started.attempt,
      started.at,
    )) {
      const whole = `${started.workflow} / ${name}`;
      const list = words.get(whole);
      if (list) list.push(conclusion);
      else words.set(whole, [conclusion]);
    }
  return [...words]
    .filter(([, list]) => failedThenPassed(list))
    .map(([name]) => name);
}

function failedThenPassed(words: readonly (Conclusion | undefined)[]): boolean {
  const failed = words.indexOf("failure");
  return failed >= 0 && words.indexOf("success", failed) > failed;
}

function verdictsOf(
  events: readonly DeliveryEvent[],
  window: Bounds,
): readonly RunJudged[] {
  return events.filter(
    (event): event is RunJudged =>
      event.kind === "run-judged" && within(window, event.at),
  );
}

function total<T>(list: readonly T[], value: (each: T) => number): number {
  return list.reduce((sum, each) => sum + value(each), 0);
}

function rate(count: number, of: number): Rate {
  return { count, of, rate: of === 0 ? null : count / of };
}

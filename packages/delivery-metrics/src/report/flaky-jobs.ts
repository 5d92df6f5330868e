import type { Conclusion } from "../events/event.js";
import { ownJobs } from "../events/run-end.js";
import type { RunFacts } from "../facts/facts.js";

/** A job or unit that failed and then passed. */
export interface FlakyName {
  readonly kind: "job" | "unit";
  /** `workflow / job`, or the unit's id. */
  readonly name: string;
  readonly flakes: number;
  /**
   * The number of runs in which the job ended, or of verdicts. Verdicts without the unit count too, because they don't
   * list all units.
   */
  readonly of: number;
  /** A number from 0 to 1: flakes / of. */
  readonly rate: number;
}

/** The counts of a job. */
interface Counts {
  flakes: number;
  of: number;
  /** The last run that was counted, so that a run with several attempts counts once. */
  run: readonly RunFacts[] | undefined;
}

/** Counts the runs in which each job ended, and those in which it failed and then passed. */
export class FlakyJobs {
  readonly #ended: readonly Conclusion[];
  /** By workflow and then by job. */
  readonly #counts = new Map<string, Map<string, Counts>>();

  /** @param ended the conclusions that count as an end */
  constructor(ended: readonly Conclusion[]) {
    this.#ended = ended;
  }

  /** Adds the ended attempts of a run. */
  add(run: readonly RunFacts[]): void {
    for (const name of flakesIn(run))
      this.#of(run[0]?.started.workflow ?? "", name).flakes++;
    for (const { started, completed } of run)
      for (const { name, conclusion } of completed?.jobs ?? []) {
        if (!this.#ended.includes(conclusion)) continue;
        const counts = this.#of(started.workflow, name);
        if (counts.run === run) continue;
        counts.run = run;
        counts.of++;
      }
  }

  flaky(): readonly FlakyName[] {
    return [...this.#counts].flatMap(([workflow, own]) =>
      [...own]
        .filter(([, { flakes }]) => flakes > 0)
        .map(([job, { flakes, of }]) => ({
          kind: "job" as const,
          name: `${workflow} / ${job}`,
          flakes,
          of,
          rate: flakes / of,
        })),
    );
  }

  #of(workflow: string, job: string): Counts {
    const own = this.#counts.get(workflow) ?? new Map<string, Counts>();
    this.#counts.set(workflow, own);
    const counts = own.get(job) ?? { flakes: 0, of: 0, run: undefined };
    own.set(job, counts);
    return counts;
  }
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

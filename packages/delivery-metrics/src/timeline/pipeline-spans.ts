import type { Job } from "../events/event.js";
import { both, minus, union, type Span, type Spans } from "../spans/spans.js";
import type { Skew } from "./skew.js";

/** The part that a job plays in the pipeline of ci-dispatch. Any other job counts as a leg without a set-up. */
type Part = "plan" | "leg" | "judge";

const PARTS: Readonly<Record<string, Part>> = {
  plan: "plan",
  application: "leg",
  packages: "leg",
  again: "leg",
  judge: "judge",
  "judge-again": "judge",
  verdict: "judge",
  publish: "judge",
  history: "judge",
};

/** A job's name in GitHub's list: those that called the workflow, the job, and its leg of the matrix. */
const NAME = /^((?:.* \/ )?)([a-z-]+)(?: \(.*\))?$/s;

/**
 * Finds what the jobs of one attempt of a run do. Only jobs beside both a job `plan` and a job `verdict` are of
 * ci-dispatch's workflow: other workflows have jobs called `plan`, too. Pure.
 */
export function partsOf(
  jobs: readonly Pick<Job, "name">[],
): (job: Pick<Job, "name">) => Part | undefined {
  const named = new Set(jobs.map(({ name }) => name));
  return ({ name }) => {
    const [, callers = "", own = ""] = NAME.exec(name) ?? [];
    const isOurs =
      named.has(`${callers}plan`) && named.has(`${callers}verdict`);
    return isOurs && Object.hasOwn(PARTS, own) ? PARTS[own] : undefined;
  };
}

/** The times of the pipeline's parts. Those of several jobs overlap. */
export interface PipelineSpans {
  readonly planning: Spans;
  readonly settingUp: Spans;
  readonly testing: Spans;
  readonly judging: Spans;
}

/** Collects the times of jobs. */
export class PipelineClock {
  readonly #spans = {
    planning: [] as Span[],
    settingUp: [] as Span[],
    testing: [] as Span[],
    judging: [] as Span[],
  };

  readonly #setupMs: number | undefined;
  readonly #skew: Skew;

  /** @param setupMs the set-up time of a leg in milliseconds; undefined if it was never measured */
  constructor(setupMs: number | undefined, skew: Skew) {
    this.#setupMs = setupMs;
    this.#skew = skew;
  }

  /** Adds a time in which tests ran. */
  tested(span: Span): void {
    this.#spans.testing.push(span);
  }

  /** Adds the time of a job. */
  job(part: Part | undefined, { from, to }: Span): void {
    const { planning, settingUp, testing, judging } = this.#spans;
    if (part === "plan") planning.push({ from, to });
    else if (part === "judge") judging.push({ from, to });
    else if (part === undefined || this.#setupMs === undefined)
      testing.push({ from, to });
    else {
      const ready = Math.min(to, from + this.#setupMs);
      settingUp.push(this.#skew.span(from, ready));
      testing.push(this.#skew.span(ready, to));
    }
  }

  spans(): PipelineSpans {
    return {
      planning: union(this.#spans.planning),
      settingUp: union(this.#spans.settingUp),
      testing: union(this.#spans.testing),
      judging: union(this.#spans.judging),
    };
  }
}

/**
 * Divides the time in which first attempts were on machines. While any test runs, the pipeline itself takes no time.
 * Otherwise, set-up takes precedence over planning, and planning over judging. Pure.
 */
export function dividePipeline(
  build: Spans,
  { planning, settingUp, testing, judging }: PipelineSpans,
): Readonly<Record<"build" | "plan" | "set-up" | "judge", Spans>> {
  const idle = minus(build, testing);
  const setUp = both(idle, settingUp);
  const left = minus(idle, setUp);
  const plan = both(left, planning);
  const judge = both(minus(left, plan), judging);
  return {
    build: minus(minus(minus(build, setUp), plan), judge),
    plan,
    "set-up": setUp,
    judge,
  };
}

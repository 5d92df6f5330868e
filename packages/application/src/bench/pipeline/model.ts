/** The durations of a pipeline's steps, in seconds. */
export interface Steps {
  /** The time from the event, or from the end of the previous job, until a runner has set the job up. */
  readonly start: number;
  readonly checkout: number;
  /** An install, in a checkout. */
  readonly install: number;
  /** Only fetching the tool. */
  readonly tool: number;
  readonly plan: number;
  readonly judge: number;
}

/** A way to run tests, as groups of jobs. The jobs of a group run at the same time. */
export interface Way {
  readonly label: string;
  /** Each group waits for the one before. */
  readonly groups: readonly (readonly ModelJob[])[];
}

export interface ModelJob {
  /** The time before its tests, without the runner's start. */
  readonly before: number;
  readonly tests: number;
  /** The number of its installs. */
  readonly installs: number;
}

/** The modelled times of a way, in seconds, with GitHub's billed minutes, which are rounded up per job. */
export interface Modelled {
  readonly label: string;
  readonly toFirstTest: number;
  readonly toVerdict: number;
  /** The time from the last test to the verdict. */
  readonly after: number;
  readonly billedMinutes: number;
  /** The same without rounding. */
  readonly machineMinutes: number;
  readonly installsOnPath: number;
}

/** Returns the times of a way. Pure. */
export function modelOf(
  { label, groups }: Way,
  { start }: Pick<Steps, "start">,
): Modelled {
  let now = 0;
  let firstTest = Infinity;
  let lastTest = 0;
  let installs = 0;
  for (const group of groups) {
    const began = now + start;
    for (const { before, tests } of group) {
      if (tests === 0) continue;
      firstTest = Math.min(firstTest, began + before);
      lastTest = Math.max(lastTest, began + before + tests);
    }
    now = began + Math.max(...group.map((job) => job.before + job.tests));
    installs += Math.max(...group.map((job) => job.installs));
  }
  const jobs = groups.flat();
  return {
    label,
    toFirstTest: firstTest,
    toVerdict: now,
    after: now - lastTest,
    billedMinutes: jobs.reduce(
      (sum, { before, tests }) => sum + Math.ceil((before + tests) / 60),
      0,
    ),
    machineMinutes: jobs.reduce(
      (sum, { before, tests }) => sum + (before + tests) / 60,
      0,
    ),
    installsOnPath: installs,
  };
}

/**
 * Returns the fewest minutes that GitHub can bill for tests in legs of equal duration, with a planning and a judging job
 * of less than a minute each. Pure. GitHub rounds each job up to whole minutes:
 * https://docs.github.com/billing/concepts/product-billing/github-actions
 * @param total the duration of all tests, in seconds
 * @param target the maximum duration of a leg with its set-up, in seconds
 */
export function fewestMinutes(
  { checkout, install }: Pick<Steps, "checkout" | "install">,
  total: number,
  target: number,
): { readonly legs: number; readonly minutes: number } {
  const ready = checkout + install;
  const fewest = Math.max(1, Math.ceil(total / (target - ready)));
  // With more legs than this, each has less than a minute of tests, and each further leg adds at least a minute.
  const most = Math.max(fewest, Math.ceil(total / 60));
  const choices = Array.from({ length: most - fewest + 1 }, (_, index) => {
    const legs = fewest + index;
    return { legs, minutes: legs * Math.ceil((ready + total / legs) / 60) + 2 };
  });
  return choices.reduce((best, each) =>
    each.minutes < best.minutes ? each : best,
  );
}

/**
 * Returns the ways to compare.
 * @param tests the duration of each affected package's tests, in seconds
 * @param legs the duration of each leg's tests, in seconds
 */
export function waysOf(
  { checkout, install, tool, plan, judge }: Steps,
  tests: readonly number[],
  legs: readonly number[],
): readonly Way[] {
  const sum = tests.reduce((total, each) => total + each, 0);
  const job = (before: number, tested = 0, installs = 0): ModelJob => ({
    before,
    tests: tested,
    installs,
  });
  const ready = checkout + install;
  return [
    {
      label: "ci-dispatch, as its workflow is",
      groups: [
        [job(tool + checkout + plan)],
        legs.map((leg) => job(ready, leg, 1)),
        ...(legs.length > 1
          ? [[job(tool + judge)], [job(0)]]
          : [[job(tool + judge)]]),
      ],
    },
    {
      label: "ci-dispatch, with an install in each job",
      groups: [
        [job(ready + plan, 0, 1)],
        legs.map((leg) => job(ready, leg, 1)),
        [job(ready + judge, 0, 1)],
        [job(0)],
      ],
    },
    {
      label: "one job, `turbo run test --affected`",
      groups: [[job(ready, sum, 1)]],
    },
    {
      label: "a matrix with a job for each package",
      groups: [[job(checkout)], tests.map((each) => job(ready, each, 1))],
    },
  ];
}

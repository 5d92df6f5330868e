/** A piece of act's output, and its time in milliseconds since 1970. */
export interface Printed {
  readonly at: number;
  readonly text: string;
}

/** A job, from its first step to its end. */
export interface JobTime {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the times of jobs from act's output. Legs of a matrix share a name. The function assumes that the one that started
 * first ends first, which changes no sum. Pure.
 */
export function jobTimes(printed: readonly Printed[]): readonly JobTime[] {
  const began = new Map<string, number[]>();
  const jobs: JobTime[] = [];
  for (const { at, line } of linesOf(printed)) {
    const [, id = "", what = ""] =
      /^\[([^\]]*?)\s*\] .*(Run Set up job|Job (?:succeeded|failed))/.exec(
        line,
      ) ?? [];
    if (what === "Run Set up job")
      began.set(id, [...(began.get(id) ?? []), at]);
    else if (what !== "") {
      const from = began.get(id)?.shift();
      if (from !== undefined) jobs.push({ id, from, to: at });
    }
  }
  return jobs;
}

/** Reads the durations of steps in milliseconds, which act prints after each step. Pure. */
export function stepTimes(printed: readonly Printed[]): readonly {
  readonly job: string;
  readonly step: string;
  readonly ms: number;
}[] {
  return linesOf(printed).flatMap(({ line }) => {
    const [, job = "", step = "", time = ""] =
      /^\[([^\]]*?)\s*\] .* - Main (.*) \[([\dhmsµn.]+)\]$/.exec(line) ?? [];
    return job === "" ? [] : [{ job, step, ms: durationOf(time) }];
  });
}

const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  µs: 0.001,
  ns: 0.000_001,
};

/** Parses a duration in Go's format, `1m2.5s` or `12.3ms`, to milliseconds. */
function durationOf(text: string): number {
  return [...text.matchAll(/([\d.]+)(ms|µs|ns|h|m|s)/g)].reduce(
    (sum, [, value = "", unit = ""]) =>
      sum + Number(value) * (UNITS[unit] ?? 0),
    0,
  );
}

/** Returns lines, each with the time at which it was complete. */
function linesOf(
  printed: readonly Printed[],
): readonly { readonly at: number; readonly line: string }[] {
  const lines: { at: number; line: string }[] = [];
  let rest = "";
  for (const { at, text } of printed) {
    const parts = `${rest}${text}`.split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) lines.push({ at, line });
  }
  return lines;
}

import type { Executor, Job, JobEnd } from "./executor.js";
import { openCapture } from "./capture.js";
import type { Unit, UnitOutput, UnitResult } from "./unit.js";

export interface RunUnitOptions {
  readonly executor: Executor;
  /** Why the executor is `yarn run`. */
  readonly viaReason: string | undefined;
  readonly prepare: () => Promise<Job>;
  /** Aborts the unit. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
  readonly now: () => number;
  readonly capture: { readonly cap: number; readonly file: string };
  readonly onText: (text: string) => void;
}

/** 24 days. A longer timer fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs one unit to its end, or to its time limit. It never rejects because of the script. */
export async function runUnit(
  unit: Unit,
  options: RunUnitOptions,
): Promise<UnitResult> {
  const { executor, signal, timeoutMs, now, viaReason } = options;
  const job = await options.prepare();
  if (signal.aborted) return { status: "cancelled", unit, started: false };
  const start = now();
  const running = executor.start(job);
  const capture = openCapture({ ...options.capture, onText: options.onText });
  for (const output of running.outputs) capture.take(output);

  let gaveUp: "timed-out" | "cancelled" | undefined;
  const giveUp = (why: "timed-out" | "cancelled") => {
    gaveUp ??= why;
    void running.stop();
  };
  const cancel = () => giveUp("cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(
          () => giveUp("timed-out"),
          Math.min(timeoutMs, LONGEST_TIMER_MS),
        );

  const end = await running.ended;
  clearTimeout(timer);
  signal.removeEventListener("abort", cancel);
  const whole = {
    unit,
    durationMs: Math.round(now() - start),
    output: withDetail(await capture.finish(), end),
    via: executor.via,
    ...(viaReason !== undefined && { viaReason }),
    leftBehind: end.leftBehind && gaveUp === undefined,
  };
  if (gaveUp === "timed-out" && timeoutMs !== undefined)
    return { ...whole, status: "timed-out", timeoutMs };
  if (gaveUp !== undefined)
    return { ...whole, status: "cancelled", started: true };
  if (end.exitCode === 0) return { ...whole, status: "passed", exitCode: 0 };
  const { exitCode, signal: by } = end;
  return { ...whole, status: "failed", exitCode, signal: by };
}

/** Adds the reason to the output of a script that could not be run, because the script itself printed nothing. */
function withDetail(output: UnitOutput, { detail }: JobEnd): UnitOutput {
  if (detail === undefined) return output;
  const text = output.text.replace(/([^\n])$/, "$1\n");
  return { ...output, text: `${text}${detail}\n` };
}

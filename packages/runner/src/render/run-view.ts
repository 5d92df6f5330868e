import { ciOf } from "@skein/ci";
import { wantsColour, type Out } from "@skein/reporting";
import { estimateLeft, renderLive, type LiveState } from "./render-live.js";
import { renderSummary, type SummaryOptions } from "./render-summary.js";
import { renderUnit, type OutputMode } from "./render-unit.js";
import { isBad } from "./render-words.js";
import type { RunEvent, RunReport, UnitId, UnitPlan } from "../unit.js";

const REDRAW_MS = 100;

export interface RunViewOptions {
  readonly plan: UnitPlan;
  readonly out: Out;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mode: OutputMode;
  readonly concurrency: number;
  /** The same clock as that of `runUnits`. */
  readonly now: () => number;
  readonly durations?: ReadonlyMap<UnitId, number>;
  /** A random word; needed if GitHub Actions reads the output. */
  readonly token: string;
  /** The project's root, for annotations in GitHub Actions. */
  readonly root?: string;
  /** The content of the summary besides the counts. */
  readonly summary?: Pick<SummaryOptions, "verbose" | "again">;
}

export interface RunView {
  /** The listener for `runUnits`. */
  readonly onEvent: (event: RunEvent) => void;
  /** Clears the live area and writes the summary. */
  readonly finish: (report: RunReport) => void;
  /** Clears the live area, for a run that has thrown. */
  readonly close: () => void;
}

/**
 * Opens the view that fits: groups in GitHub Actions, a live area below the lines on a terminal, and otherwise only
 * lines. A terminal that CI emulates gets no live area.
 */
export function openRunView(options: RunViewOptions): RunView {
  const { out, env, mode } = options;
  const colour = wantsColour(env, out);
  const { isCi, log } = ciOf(env);
  const actions = log.commands;
  const isLive =
    out.isTTY === true && !actions && !isCi && env["TERM"] !== "dumb";
  const progress = openProgress(options);
  let drawn = 0;

  const erase = () => {
    // Moves up to the first line of the live area, and clears everything below.
    if (drawn > 0) out.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  };
  const draw = () => {
    const lines = renderLive(progress.state(), out.columns ?? 80, colour);
    erase();
    out.write(lines.map((line) => `${line}\n`).join(""));
    drawn = lines.length;
  };
  const timer = isLive ? setInterval(draw, REDRAW_MS) : undefined;
  timer?.unref();
  const close = () => {
    clearInterval(timer);
    erase();
  };
  return {
    onEvent(event) {
      if (event.kind === "output") return;
      progress.onEvent(event);
      if (event.kind === "ended") {
        const { result } = event;
        // Only the summary shows units that never ran.
        const text =
          "durationMs" in result
            ? renderUnit(result, {
                mode,
                colour,
                ...(actions && { actionsToken: options.token }),
                ...(options.root !== undefined && { root: options.root }),
              })
            : "";
        if (text !== "") {
          erase();
          out.write(text);
        }
      }
      if (isLive) draw();
    },
    finish(report) {
      close();
      out.write(
        renderSummary(report, {
          colour,
          width: out.isTTY ? out.columns : undefined,
          tails: mode !== "none" && options.summary !== undefined,
          ...options.summary,
        }),
      );
    },
    close,
  };
}

/** Follows a run: what is running and waiting, and how long that will probably take. */
function openProgress({ plan, now, concurrency, durations }: RunViewOptions): {
  readonly onEvent: (event: RunEvent) => void;
  readonly state: () => LiveState;
} {
  const waiting = new Set(
    plan.units
      .filter(({ command }) => command !== undefined)
      .map(({ id }) => id),
  );
  const total = waiting.size;
  const running = new Map<UnitId, number>();
  const start = now();
  let failed = 0;
  return {
    onEvent(event) {
      if (event.kind === "started") running.set(event.unit.id, event.at);
      if (event.kind !== "ended") return;
      running.delete(event.result.unit.id);
      waiting.delete(event.result.unit.id);
      if (isBad(event.result)) failed++;
    },
    state() {
      const at = now();
      const remainingMs = [...waiting].map((id) => {
        const expected = durations?.get(id);
        const since = running.get(id);
        return expected === undefined || since === undefined
          ? expected
          : Math.max(0, expected - (at - since));
      });
      return {
        running: [...running].map(([id, since]) => ({
          id,
          sinceMs: at - since,
        })),
        done: total - waiting.size,
        failed,
        total,
        elapsedMs: at - start,
        leftMs: estimateLeft({ concurrency, remainingMs }),
      };
    },
  };
}

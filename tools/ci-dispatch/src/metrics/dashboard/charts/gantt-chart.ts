import { showLeadTime } from "@skein/delivery-metrics";
import type { JobTimes, RunTimes } from "@skein/delivery-metrics";
import { cutTo } from "@skein/reporting";
import { html, type Html } from "../html.js";
import { CONCLUSION } from "../words.js";
import { at, spanScale } from "./time-scale.js";

export interface GanttSize {
  readonly name: "wide" | "narrow";
  readonly width: number;
  /** The width of the names; 0 if they are above their bars. */
  readonly left: number;
}

const ROW = 22;
const AXIS = 22;
/** The space for the span of the last job, which is to the right of its bar. */
const RIGHT = 88;
/** The maximum number of rows. A longer chart would be unreadable. */
const MOST_JOBS = 24;

/** Returns the jobs that a chart shows: the longest ones, in order of their start. */
export function shownJobs({ jobs }: RunTimes): readonly JobTimes[] {
  if (jobs.length <= MOST_JOBS) return jobs;
  const longest = new Set(
    jobs
      .toSorted((a, b) => b.ended - b.started - (a.ended - a.started))
      .slice(0, MOST_JOBS),
  );
  return jobs.filter((job) => longest.has(job));
}

/**
 * Draws the jobs of a run: how long each waited for a machine, and how long it ran. The job that ended last is marked.
 * @param most the milliseconds that fill the width
 */
export function ganttChart(
  run: RunTimes,
  most: number,
  title: string,
  { name, width, left }: GanttSize,
): Html {
  const jobs = shownJobs(run);
  const row = left === 0 ? ROW + 16 : ROW;
  const height = AXIS + jobs.length * row + 4;
  const x = spanScale(
    most,
    [left, width - RIGHT],
    Math.floor((width - left) / 90),
  );
  const lastEnd = Math.max(...jobs.map(({ ended }) => ended));
  return html`<svg
    class="chart ${name}"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-label="${title}"
  >
    ${x.ticks.map(
      ({ ms, label }) =>
        html`<line
            class="grid"
            x1="${at(x(ms))}"
            x2="${at(x(ms))}"
            y1="${AXIS}"
            y2="${height}"
          /><text
            class="axis ${ms === 0 ? "" : "middle"}"
            x="${at(x(ms))}"
            y="14"
            >${label}</text
          >`,
    )}
    ${jobs.map((job, index) =>
      jobRow(job, x, {
        left,
        top: AXIS + index * row + (left === 0 ? 18 : 4),
        isLast: job.ended === lastEnd,
      }),
    )}
  </svg>`;
}

interface RowPlace {
  readonly left: number;
  readonly top: number;
  /** Whether no job ended later. */
  readonly isLast: boolean;
}

/** Draws a job: its name, its wait, its run, and how long it took. */
function jobRow(
  job: JobTimes,
  x: (ms: number) => number,
  { left, top, isLast }: RowPlace,
): Html {
  const { asked, started, ended } = job;
  const failed = job.conclusion !== "success";
  const look = failed ? "failed" : isLast ? "critical" : "ran";
  const took = showLeadTime(ended - started);
  return html`<g
    ><title>
      ${job.name}: waited ${showLeadTime(started - asked)} for a machine, ran
      ${took}, ${CONCLUSION[job.conclusion]}</title
    ><text
      class="job"
      x="${left === 0 ? 0 : left - 10}"
      y="${left === 0 ? top - 4 : top + 12}"
      ${left === 0 ? undefined : html` text-anchor="end"`}
      >${cutTo(job.name, left === 0 ? 44 : 26)}</text
    ><rect
      class="waited"
      x="${at(x(asked))}"
      width="${at(x(started) - x(asked))}"
      y="${top + 5}"
      height="5"
    /><rect
      class="${look}"
      x="${at(x(started))}"
      width="${at(Math.max(1.5, x(ended) - x(started)))}"
      y="${top}"
      height="15"
      rx="2"
    /><text class="axis" x="${at(x(ended) + 6)}" y="${top + 12}"
      >${took}${failed ? " ✗" : undefined}</text
    ></g
  >`;
}

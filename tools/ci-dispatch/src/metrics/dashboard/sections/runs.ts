import { showLeadTime, type RunTimes } from "@skein/delivery-metrics";
import { count } from "@skein/reporting";
import { ganttChart, shownJobs } from "../charts/gantt-chart.js";
import type { Dashboard } from "../dashboard.js";
import { html, type Html } from "../html.js";
import type { Links } from "../links.js";
import { CONCLUSION, timeOf } from "../words.js";

const SIZES = [
  { name: "wide", width: 1000, left: 210 },
  { name: "narrow", width: 358, left: 0 },
] as const;

/** Renders the jobs of the newest runs on a time axis. */
export function runs({ runs: all }: Dashboard, links: Links): Html | undefined {
  const [newest] = all;
  if (!newest) return undefined;
  const longest = Math.max(...all.map(({ makespan }) => makespan));
  return html`<section aria-labelledby="runs">
    <h2 id="runs">Last CI runs, job by job</h2>
    <p>
      Runs of “${newest.workflow}”, the workflow that uses most machine time.
    </p>
    <ul class="legend">
      <li><span class="key critical"></span>ended last</li>
      <li><span class="key ran"></span>other jobs</li>
      <li><span class="key failed"></span>did not succeed</li>
      <li><span class="key waited"></span>waited for a machine</li>
      <li>all runs have the same scale</li>
    </ul>
    ${all.map((run) => one(run, longest, links))}
  </section>`;
}

function one(run: RunTimes, most: number, links: Links): Html {
  const { makespan, machine, jobs } = run;
  const hidden = jobs.length - shownJobs(run).length;
  const ratio = makespan === 0 ? 1 : machine / makespan;
  const summary = `${showLeadTime(makespan)}; ${count(jobs.length, "job")} took ${showLeadTime(machine)} in total, ${ratio.toFixed(1)} at a time on average`;
  const title = `Jobs of run ${run.run}, ${timeOf(run.began)}: ${summary}. Its longest: ${longestJobs(run)}.`;
  return html`<h3>
      ${links.run(run, `${timeOf(run.began)}, ${run.event}`)}${run.attempt > 1 ? `, attempt ${run.attempt}` : undefined}${run.conclusion === "success" ? undefined : `, ${CONCLUSION[run.conclusion]}`}
    </h3>
    <p class="quiet">${summary}</p>
    ${SIZES.map((size) => ganttChart(run, most, title, size))}
    ${hidden > 0 ? html`<p class="quiet">${count(hidden, "shorter job is", "shorter jobs are")} not shown.</p>` : undefined}`;
}

function longestJobs({ jobs }: RunTimes): string {
  return jobs
    .toSorted((a, b) => b.ended - b.started - (a.ended - a.started))
    .slice(0, 3)
    .map((job) => `${job.name} ${showLeadTime(job.ended - job.started)}`)
    .join(", ");
}

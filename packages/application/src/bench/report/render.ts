import { median } from "../measure/statistics.js";
import { markdownTable } from "./markdown-table.js";
import { renderAffected } from "./render-affected.js";
import { renderRunning } from "./render-running.js";
import type { Report } from "./report.js";

/** Renders the whole report as Markdown. */
export function renderReport(report: Report): string {
  const { machine, lockfile, running } = report;
  const { cores, cpu, platform, node, git, load, date } = machine;
  const parts = [
    `Made on ${date} UTC by \`${report.command}\` on ${cores} cores (${cpu}), ${platform}, Node ${node}, git ${git}; load ${load[0].toFixed(1)} before and ${load[1].toFixed(1)} after; up to ${report.runs} runs of each, in turns. With ${report.versions.join(", ")}.\n`,
  ];
  if (report.sizes.length > 0)
    parts.push(
      "### Which packages are affected by one changed file?\n",
      renderAffected(report.sizes),
    );
  if (running) parts.push("### Running a script\n", renderRunning(running));
  if (lockfile) {
    parts.push(
      "### Two lockfiles\n",
      `A yarn.lock of ${lockfile.lines.toLocaleString("en")} lines (${lockfile.entries.toLocaleString("en")} entries, ${lockfile.workspaces} workspaces), and the same with one version bumped, which affects ${lockfile.changed} workspaces; each time in a fresh process; median (least) of ${lockfile.readMs.length}:\n`,
      markdownTable(
        ["", "ms"],
        [
          ["both parsed, both graphs made", middleAndLeast(lockfile.readMs)],
          ["compared", middleAndLeast(lockfile.compareMs)],
        ],
      ),
    );
  }
  return `${parts.join("\n").trim()}\n`;
}

/** Returns the median and the minimum, for a table. */
function middleAndLeast(values: readonly number[]): string {
  return `${Math.round(median(values))} (${Math.round(Math.min(...values))})`;
}

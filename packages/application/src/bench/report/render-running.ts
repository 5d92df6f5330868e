import { median } from "../measure/statistics.js";
import type { RunResult, RunResults } from "../parts/running.js";
import { markdownTable } from "./markdown-table.js";
import { shellWords } from "./render-affected.js";

/** Renders the cost of running a trivial script with each tool, beyond the script itself. */
export function renderRunning(running: RunResults): string {
  const { scripts, concurrency, bare, tools } = running;
  const floor = middle(bare);
  const table = markdownTable(
    ["", "wall, ms", "per package, ms", "CPU, ms", "ran"],
    [
      ["only the scripts", wall(bare), "0", cpu(bare), `${scripts}`],
      ...tools.map((result) => [
        result.label,
        wall(result),
        result.samples.length === 0
          ? "–"
          : ((middle(result) - floor) / scripts).toFixed(1),
        cpu(result),
        result.problem ?? `${scripts}`,
      ]),
    ],
  );
  const commands = [bare, ...tools]
    .map(({ label, command }) => `- ${label}: \`${shellWords(command)}\`\n`)
    .join("");
  return `The script \`node -e 0\` in ${scripts} affected packages, ${concurrency} at a time; median (least). "Per package" is the time beyond only the scripts, at the same concurrency, divided by ${scripts}:\n\n${table}\n${commands}`;
}

function middle({ samples }: RunResult): number {
  return median(samples.map(({ wallMs }) => wallMs));
}

function wall(result: RunResult): string {
  if (result.samples.length === 0) return "–";
  const least = Math.min(...result.samples.map(({ wallMs }) => wallMs));
  return `${Math.round(middle(result)).toLocaleString("en")} (${Math.round(least).toLocaleString("en")})`;
}

function cpu({ samples }: RunResult): string {
  const values = samples
    .map(({ cpuMs }) => cpuMs)
    .filter((value) => value !== undefined);
  if (values.length === 0) return "–";
  return Math.round(median(values)).toLocaleString("en");
}

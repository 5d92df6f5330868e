import { median } from "../measure/statistics.js";
import { markdownTable } from "../report/markdown-table.js";
import type { Machine } from "../report/report.js";
import type { Answer, HitResult } from "./hits.js";
import type { Measured, SiteResult } from "./measure-site.js";
import { SCENARIOS } from "./scenarios.js";

/** The results of `yarn bench:run`. */
export interface ReplayReport {
  readonly machine: Machine;
  readonly command: string;
  readonly runs: number;
  readonly versions: readonly string[];
  readonly jest: SiteResult | undefined;
  readonly trivial: SiteResult | undefined;
  /** The milliseconds that a cold cache adds per unit of `trivial`; undefined if it wasn't measured. */
  readonly coldCacheMs: number | undefined;
  readonly hits: readonly HitResult[] | undefined;
  /** The milliseconds from a save to the answer of `affected watch`. */
  readonly watch: WatchResult | undefined;
}

export interface WatchResult {
  readonly packages: number;
  readonly answersMs: readonly number[];
}

/** Renders the report as Markdown. */
export function renderReplay(report: ReplayReport): string {
  const { machine, versions, jest, trivial, hits, watch, coldCacheMs } = report;
  const { cores, cpu, platform, node, git, load, date } = machine;
  const parts = [
    `Made on ${date} UTC by \`${report.command}\` on ${cores} cores (${cpu}), ${platform}, Node ${node}, git ${git}; load ${load[0].toFixed(1)} before and ${load[1].toFixed(1)} after; ${report.runs} runs of each scenario in turns, the cold ones once. With ${versions.join(", ")}.`,
  ];
  if (jest)
    parts.push(
      `#### ${jest.packages} packages with three Jest suites each`,
      scenarioTable(jest),
    );
  if (trivial)
    parts.push(
      `#### ${trivial.packages.toLocaleString("en")} packages with the script \`node -e 0\``,
      scenarioTable(trivial),
    );
  if (coldCacheMs !== undefined)
    parts.push(
      `A cold cache adds ${coldCacheMs.toFixed(1)} ms to each unit: median of the cold runs beside runs with \`--no-cache\`, pair by pair.`,
    );
  if (watch) parts.push(watchWords(watch));
  if (hits)
    parts.push("#### One input changed after a green run", hitTable(hits));
  const commands = (jest ?? trivial)?.rows ?? [];
  if (commands.length > 0)
    parts.push(
      `The commands: ${commands.map(({ label, command }) => `${label}: \`${command.join(" ")}\``).join("; ")}.`,
    );
  return `${parts.join("\n\n")}\n`;
}

function scenarioTable({ rows }: SiteResult): string {
  const [skein] = rows;
  const shown = SCENARIOS.filter((scenario) =>
    rows.some(({ by }) => by.has(scenario)),
  );
  return `${markdownTable(
    [
      "",
      ...rows.flatMap(({ label }, at) => [
        `${label}, ms`,
        ...(at > 0 ? ["x Skein"] : []),
      ]),
    ],
    shown.map((scenario) => [
      scenario,
      ...rows.flatMap(({ by }, at) => {
        const measured = by.get(scenario);
        return [
          cell(measured),
          ...(at > 0 ? [ratio(measured, skein?.by.get(scenario))] : []),
        ];
      }),
    ]),
  )}\nWall time, median (least), processor time, and in brackets how many scripts were replayed; ratios of wall time, in brackets those of processor time. A daemon's processor time (Nx) is not counted.`;
}

function cell(measured: Measured | undefined): string {
  if (!measured) return "–";
  const { samples, replayed, problem } = measured;
  if (problem !== undefined) return `failed: ${problem}`;
  const times = samples.map(({ wallMs }) => wallMs);
  const cpu = cpuOf(measured);
  return `${round(median(times))} (${round(Math.min(...times))})${Number.isNaN(cpu) ? "" : `, ${round(cpu)}`} [${Number.isNaN(replayed) ? "?" : replayed}]`;
}

function cpuOf({ samples }: Measured): number {
  return median(samples.flatMap(({ cpuMs }) => cpuMs ?? []));
}

function ratio(
  measured: Measured | undefined,
  skein: Measured | undefined,
): string {
  const of = ({ samples }: Measured) =>
    median(samples.map(({ wallMs }) => wallMs));
  return measured && skein && measured.problem === undefined
    ? `${(of(measured) / of(skein)).toFixed(2)} (${(cpuOf(measured) / cpuOf(skein)).toFixed(2)})`
    : "–";
}

/** The words in the table for each answer. */
const ANSWERS: Readonly<Record<Answer, string>> = {
  ran: "ran",
  same: "replayed, change hidden or undone",
  "false hit": "**false hit**",
  failed: "failed",
};

function hitTable(hits: readonly HitResult[]): string {
  const labels = [...(hits[0]?.by.keys() ?? [])];
  const falseHits = (label: string) =>
    hits.filter(({ by }) => by.get(label) === "false hit").length;
  return markdownTable(
    ["what changed", ...labels],
    [
      ...hits.map(({ words, by }) => [
        words,
        ...labels.map((label) => {
          const answer = by.get(label);
          return answer === undefined ? "–" : ANSWERS[answer];
        }),
      ]),
      [
        `false hits of ${hits.length}`,
        ...labels.map((label) => `${falseHits(label)}`),
      ],
    ],
  );
}

function watchWords({ packages, answersMs }: WatchResult): string {
  return `\`affected watch test\`, ${packages.toLocaleString("en")} packages: from the save of a file to the answer which packages it affects ${round(median(answersMs))} ms (${round(Math.min(...answersMs))} to ${round(Math.max(...answersMs))}, ${answersMs.length} saves).`;
}

function round(value: number): string {
  return Math.round(value).toLocaleString("en");
}

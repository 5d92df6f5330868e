import { median } from "../measure/statistics.js";
import type { Result, SizeResult, Verdict } from "../parts/affected.js";
import { REFERENCE } from "../tools/tool.js";
import { markdownTable } from "./markdown-table.js";

/** Renders times, ratios, processor time, memory and commands of the question "which packages are affected?". */
export function renderAffected(sizes: readonly SizeResult[]): string {
  const [first] = sizes;
  if (!first) return "";
  const labels = first.results.map(({ label }) => label);
  const heads = sizes.map(({ packages }) => packages.toLocaleString("en"));
  const at = (label: string) =>
    sizes.map((size) => ({
      result: size.results.find((each) => each.label === label),
      reference: size.results.find((each) => each.label === REFERENCE),
    }));
  const time = markdownTable(
    [
      "",
      ...heads.flatMap((head) => [`${head} packages, ms`, "x Skein"]),
      "answer",
    ],
    labels.map((label) => [
      label,
      ...at(label).flatMap(({ result, reference }) => [
        wall(result),
        ratio(result, reference),
      ]),
      answers(at(label).map(({ result }) => result?.verdict)),
    ]),
  );
  const cost = markdownTable(
    ["", ...heads.flatMap((head) => [`${head}: CPU, ms`, "peak, MB"])],
    labels.map((label) => [
      label,
      ...at(label).flatMap(({ result }) => [
        figure(result, ({ cpuMs }) => cpuMs),
        figure(result, ({ peakMb }) => peakMb),
      ]),
    ]),
  );
  const shape = sizes
    .map(
      ({ packages, files, affected }) =>
        `${packages.toLocaleString("en")} packages (${files.toLocaleString("en")} files, ${affected.toLocaleString("en")} affected)`,
    )
    .join("; ");
  return `Workspaces: ${shape}.\n\nWall time, median (least):\n\n${time}\nProcessor time of the whole tree of processes, and memory of its largest, median:\n\n${cost}\nThe commands, each in the workspace's root:\n\n${commands(first.results)}`;
}

function wall(result: Result | undefined): string {
  if (!result || result.samples.length === 0) return "–";
  const times = result.samples.map(({ wallMs }) => wallMs);
  const [sample] = result.samples;
  if (sample?.stopped) return `> ${Math.round(sample.wallMs)}, stopped`;
  const once = times.length === 1 ? ", one run" : "";
  return `${round(median(times))} (${round(Math.min(...times))}${once})`;
}

function ratio(
  result: Result | undefined,
  reference: Result | undefined,
): string {
  if (!result?.samples.length || !reference?.samples.length) return "–";
  const of = ({ samples }: Result) =>
    median(samples.map(({ wallMs }) => wallMs));
  return (of(result) / of(reference)).toFixed(2);
}

function figure(
  result: Result | undefined,
  of: (sample: Result["samples"][number]) => number | undefined,
): string {
  const values = (result?.samples ?? [])
    .map(of)
    .filter((value) => value !== undefined);
  return values.length === 0 ? "–" : round(median(values));
}

function answers(verdicts: readonly (Verdict | undefined)[]): string {
  const words = new Set(
    verdicts.map((verdict) => (verdict ? verdictWords(verdict) : "–")),
  );
  return [...words].join("; ");
}

function verdictWords(verdict: Verdict): string {
  switch (verdict.kind) {
    case "right":
      return "right";
    case "not-asked":
      return "none";
    case "failed":
      return `failed: ${verdict.words}`;
    case "wrong":
      return `wrong: ${[some("misses", verdict.missed), some("adds", verdict.extra)].filter((part) => part !== "").join(", ")}`;
  }
}

function some(verb: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const shown = names.slice(0, 3).join(" ");
  return `${verb} ${names.length} (${shown}${names.length > 3 ? " …" : ""})`;
}

function commands(results: readonly Result[]): string {
  return results
    .filter(({ command }) => command.length > 0)
    .map(({ label, command, env }) => {
      const set = Object.entries(env).map(
        ([name, value]) => `${name}=${shellWords([value])} `,
      );
      return `- ${label}: \`${set.join("")}${shellWords(command)}\`\n`;
    })
    .join("");
}

/** Returns a command as a user would type it. For a program of the bench itself, it shows only the name. */
export function shellWords(argv: readonly string[]): string {
  return argv
    .map((word) => (word.startsWith("/") ? word.replace(/^.*\//, "") : word))
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`))
    .join(" ");
}

function round(value: number): string {
  return Math.round(value).toLocaleString("en");
}

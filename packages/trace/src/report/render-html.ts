import { escapeHtml, PAGE_STYLE, policyHash } from "@skein/reporting/markup";
import { count } from "@skein/reporting";
import type { UnitTrace } from "../unit-trace.js";
import { traceSummary } from "./render-text.js";
import type { TraceReport } from "./trace-report.js";
import { fixLine, gapLines, missNote, missWords } from "./words.js";

const STYLE = `${PAGE_STYLE}
code, li { font-family: ui-monospace, monospace; font-size: 0.9em; }
section > details { border-left: 4px solid var(--edge); margin: 8px 0; padding: 2px 0 2px 12px; }
details details { padding-left: 12px; }
details.bad { border-color: var(--bad); color: inherit; }
details.good { border-color: var(--good); color: inherit; }
ul { margin: 4px 0; padding-left: 20px; }
p { margin: 4px 0 12px; }
`;

/** The lists of a unit, in the order of the page. */
const LISTS = [
  ["read", "Read"],
  ["executed", "Executed"],
  ["links", "Symlinks followed"],
  ["listed", "Folders listed"],
  ["missing", "Looked for and not found"],
  ["found", "Looked for and found, not read"],
  ["changed", "Written, moved or removed"],
] as const satisfies readonly (readonly [keyof UnitTrace, string])[];

/**
 * Renders the report as one self-contained HTML page. It runs no script. The policy allows only this page's own style, so
 * names can't inject another one.
 */
export function renderTraceHtml(report: TraceReport): string {
  const { misses, unusedEdges, traces, notRun } = report;
  const policy = `default-src 'none'; style-src ${policyHash(STYLE)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>affected trace</title>
<style>${STYLE}</style>
<main>
<h1>What scripts read</h1>
<p class="quiet">${escapeHtml(traceSummary(report))}</p>
${section("Misses", misses.length === 0 ? `<p>None: selection accounts for every file that ${notRun.length === 0 ? "was read" : "the recorded units read"}.</p>` : misses.map((miss) => missHtml(miss, report)).join(""))}
${section("Units", traces.length === 0 ? "<p>None was recorded.</p>" : traces.map(unitHtml).join(""))}
${notRun.length === 0 ? "" : section("Units that didn't run to the end", list(notRun.map(({ unit, words }) => `${unit}: ${words}`)))}
${section("Dependencies that no recorded unit used", unusedEdges.length === 0 ? "<p>None.</p>" : list(unusedEdges.map(({ from, to, kind, evidence }) => `${from} -> ${to} (${kind}: ${evidence})`)))}
</main>
</html>
`;
}

function section(title: string, content: string): string {
  return `<section>\n<h2>${title}</h2>\n${content}\n</section>`;
}

function missHtml(
  miss: TraceReport["misses"][number],
  { dirOf }: TraceReport,
): string {
  const { file, line } = fixLine(miss, dirOf);
  const note = missNote(miss);
  return `<details class="bad" open><summary>${escapeHtml(missWords(miss))}</summary>
${list(miss.files)}<p>Fix: <code>${escapeHtml(file)}</code>: <code>${escapeHtml(line)}</code>${note === undefined ? "" : ` <span class="quiet">(${escapeHtml(note)})</span>`}</p></details>
`;
}

function unitHtml(trace: UnitTrace): string {
  const { unit, passed, gaps, externals, generated } = trace;
  const state = gaps.length === 0 ? "complete" : "incomplete";
  const look = !passed
    ? ' class="bad"'
    : gaps.length === 0
      ? ' class="good"'
      : "";
  const lists = [
    ...LISTS.map(([name, title]) => [title, trace[name]] as const),
    [
      "Generated files used",
      generated.map(({ path, madeBy }) =>
        madeBy === undefined ? path : `${path} (made by ${madeBy})`,
      ),
    ] as const,
    [
      "Installed packages",
      externals.map(({ name, folder }) => `${name} (${folder})`),
    ] as const,
  ];
  return `<details${look}><summary>${escapeHtml(unit)}: ${passed ? "passed" : "failed"}, ${state}, ${count(trace.read.length, "file")} read</summary>
${list(gapLines(gaps))}${lists
    .filter(([, paths]) => paths.length > 0)
    .map(
      ([title, paths]) =>
        `<details><summary>${title}: ${paths.length}</summary>${list(paths)}</details>\n`,
    )
    .join("")}</details>
`;
}

function list(items: readonly string[]): string {
  return items.length === 0
    ? ""
    : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`;
}

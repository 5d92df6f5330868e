import { escapeHtml, policyHash } from "@skein/reporting/markup";
import { count } from "@skein/reporting";
import type { UnitTrace } from "../unit-trace.js";
import { traceSummary } from "./render-text.js";
import type { TraceReport } from "./trace-report.js";
import { fixLine, gapLines, missWords } from "./words.js";

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
code, li { font-family: ui-monospace, monospace; font-size: 0.9em; }
details { border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); border-radius: 0.4rem; margin: 0.4rem 0; padding: 0.4rem 0.8rem; }
details details { border: 0; padding: 0 0 0 0.8rem; margin: 0; }
summary { cursor: pointer; }
.miss { border-left: 0.3rem solid #c33; } .incomplete { border-left: 0.3rem solid #b80; } .complete { border-left: 0.3rem solid #283; }
ul { margin: 0.2rem 0; padding-left: 1.4rem; } .fix { margin: 0.3rem 0; }
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
 * Renders the report as one self-contained HTML page. It runs no script. Whatever names contain, the policy allows only
 * this page's own style.
 */
export function renderTraceHtml(report: TraceReport): string {
  const { misses, unusedEdges, traces } = report;
  const policy = `default-src 'none'; style-src ${policyHash(STYLE)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta name="viewport" content="width=device-width" />
<title>affected trace</title>
<style>${STYLE}</style>
<h1>What scripts read</h1>
<p>${escapeHtml(traceSummary(report))}</p>
<h2>Misses</h2>
${misses.length === 0 ? "<p>None: selection accounts for every file that was read.</p>" : misses.map((miss) => missHtml(miss, report)).join("")}
<h2>Units</h2>
${traces.map(unitHtml).join("")}
<h2>Dependencies that no recorded unit used</h2>
${unusedEdges.length === 0 ? "<p>None.</p>" : list(unusedEdges.map(({ from, to, kind, evidence }) => `${from} -> ${to} (${kind}: ${evidence})`))}
</html>
`;
}

function missHtml(
  miss: TraceReport["misses"][number],
  { dirOf }: TraceReport,
): string {
  const { file, line } = fixLine(miss, dirOf);
  return `<details class="miss" open><summary>${escapeHtml(missWords(miss))}</summary>
${list(miss.files)}<p class="fix">Fix: <code>${escapeHtml(file)}</code>: <code>${escapeHtml(line)}</code></p></details>
`;
}

function unitHtml(trace: UnitTrace): string {
  const { unit, passed, gaps, externals, generated } = trace;
  const state = gaps.length === 0 ? "complete" : "incomplete";
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
  return `<details class="${state}"><summary>${escapeHtml(unit)}: ${passed ? "passed" : "failed"}, ${state}, ${count(trace.read.length, "file")} read</summary>
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

import { PAGE_STYLE } from "@skein/reporting/markup";

/** The page's style: the shared one, and the colours and forms of charts, tiles and tables. */
export const style = `${PAGE_STYLE}
:root {
  --grid: #e6eaee; --band: #d3e4f8; --light: #9cc3ee; --bars: #c3ccd5;
  --people-1: #57606a; --people-2: #737d88; --people-3: #8a939d;
  --build: #0b5fbf; --plan: #4a7fb5; --set-up: #6b93bd; --judge: #3d6b99; --queue: #b35900; --retry: #c4263d; --merge: #8250df; --post: #0e7c86;
  --publish: #1a7f37; --wait: #5f7a00; --upgrade: #a8457a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --grid: #252c35; --band: #1d3a5c; --light: #2c6096; --bars: #3b4550;
    --people-1: #7d8794; --people-2: #98a2ad; --people-3: #b6bec8;
    --build: #4f9cf9; --plan: #7db4f5; --set-up: #a3c7f2; --judge: #5f8fc9; --queue: #e0923a; --retry: #f26d7d; --merge: #b083f0; --post: #3fb6c0;
    --publish: #4ac26b; --wait: #a8c545; --upgrade: #e07ba5;
  }
}
h3 { margin: 20px 0 0; font-size: 15px; font-weight: 600; }
p { margin: 0 0 12px; max-width: 76ch; }
a { color: var(--accent); text-underline-offset: 2px; }
small { display: block; font-size: 13px; color: var(--quiet); font-weight: 400; }
header p, footer, section > p, caption, .under { color: var(--quiet); }
header { margin-bottom: 20px; }
header p { margin: 0; }
footer { font-size: 13px; }
section { padding: 20px 24px; }
section[aria-labelledby="beside"] { padding: 0; background: none; border: 0; }
section[aria-labelledby="beside"] > p { margin: 10px 4px 0; font-size: 13px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.hero { display: flex; flex-wrap: wrap; gap: 20px 48px; align-items: center; justify-content: space-between; }
.hero h2 { color: var(--quiet); font-size: 15px; font-weight: 600; }
.hero > div { flex: 1 1 340px; }
.number { margin: 4px 0 0; font-size: clamp(52px, 11vw, 88px); line-height: 1.05; font-weight: 700; letter-spacing: -0.02em; }
.number.none { font-size: clamp(36px, 8vw, 56px); color: var(--quiet); }
.number .unit { font-size: 0.42em; font-weight: 600; letter-spacing: 0; color: var(--quiet); }
.under { margin: 8px 0 0; }
.badge { display: inline-block; margin: 12px 0 0; padding: 3px 12px; border: 1px solid; border-radius: 99px; font-size: 14px; font-weight: 600; }
.change { margin: 12px 0 0; }
dl { margin: 0; }
dd { margin: 0; }
.facts { flex: 0 1 400px; }
.facts > div { padding: 7px 0; border-bottom: 1px solid var(--edge); }
.facts > div:last-child { border: 0; }
.facts dt, .tiles dt { font-size: 13px; color: var(--quiet); }

.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; }
.tiles > div { display: grid; align-content: start; padding: 14px 16px; background: var(--card); border: 1px solid var(--edge); border-radius: 12px; }
.tiles b { display: block; font-size: 24px; line-height: 1.3; white-space: nowrap; }
.tiles .unit { font-size: 0.62em; font-weight: 600; color: var(--quiet); }

nav ul { display: flex; flex-wrap: wrap; gap: 2px 20px; margin: 0 0 20px; padding: 0 4px; list-style: none; font-size: 14px; }
nav a { display: inline-block; padding: 3px 0; }
thead .unit { font-weight: 400; white-space: nowrap; }

table { width: 100%; border-collapse: collapse; margin: 8px 0 4px; }
caption { padding: 4px 0; font-size: 13px; text-align: left; }
th, td { padding: 7px 12px 7px 0; border-bottom: 1px solid var(--edge); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-size: 13px; font-weight: 600; color: var(--quiet); vertical-align: bottom; overflow-wrap: normal; }
tbody th { font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; }
.right { text-align: right; }
td.right { white-space: nowrap; }
td.right small { white-space: normal; }
tr:has(+ .way) > td { border-bottom: 0; padding-bottom: 0; }
.way td { padding-top: 4px; padding-bottom: 12px; }
details { margin-top: 8px; }
summary { color: var(--accent); padding: 4px 0; }
.empty { padding: 20px; margin: 8px 0 0; max-width: none; text-align: center; border: 1px dashed var(--edge); border-radius: 8px; color: var(--quiet); }

.fixed { table-layout: fixed; }
.fixed th:first-child { width: 40%; padding-right: 24px; }
.slow th.right { width: 116px; }
.compared td:last-child { white-space: normal; }
.bar { display: block; width: 100%; height: 10px; margin-top: 6px; border-radius: 3px; }
.key { display: inline-block; width: 12px; height: 12px; margin: 0 6px -1px 0; border-radius: 3px; }
.strong { fill: var(--accent); background: var(--accent); }
.light { fill: var(--light); background: var(--light); }
.legend, .markers { margin: 4px 0 8px; padding: 0; font-size: 14px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; color: var(--quiet); }
.markers { padding-left: 26px; columns: 2; column-gap: 40px; }
.markers li { break-inside: avoid; margin-bottom: 4px; }
.kind { font-size: 12px; padding: 1px 7px; border: 1px solid var(--edge); border-radius: 99px; color: var(--quiet); }
.s-draft { fill: var(--people-1); background: var(--people-1); }
.s-review { fill: var(--people-2); background: var(--people-2); }
.s-approved { fill: var(--people-3); background: var(--people-3); }
.s-build { fill: var(--build); background: var(--build); }
.s-plan { fill: var(--plan); background: var(--plan); }
.s-set-up { fill: var(--set-up); background: var(--set-up); }
.s-judge { fill: var(--judge); background: var(--judge); }
.s-queue { fill: var(--queue); background: var(--queue); }
.s-retry { fill: var(--retry); background: var(--retry); }
.s-merge-queue { fill: var(--merge); background: var(--merge); }
.s-post-merge-build { fill: var(--post); background: var(--post); }
.s-publish { fill: var(--publish); background: var(--publish); }
.s-publish-wait { fill: var(--wait); background: var(--wait); }
.s-upgrade { fill: var(--upgrade); background: var(--upgrade); }

.chart { display: block; width: 100%; height: auto; margin: 12px 0; font-size: 13px; }
.chart text { fill: var(--text); paint-order: stroke; stroke: var(--card); stroke-width: 3px; stroke-linejoin: round; }
.chart .axis { fill: var(--quiet); }
.middle { text-anchor: middle; }
.end { text-anchor: end; }
.grid, .floor { stroke: var(--grid); }
.floor { stroke: var(--edge); }
.band { fill: var(--band); }
.line { fill: none; stroke: var(--accent); stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
.daily { fill: var(--people-2); }
.dot { fill: transparent; }
.dot[data-last], .dot:hover { fill: var(--accent); }
.chart .last { font-size: 15px; font-weight: 700; }
.delivered { fill: var(--bars); }
.budget { stroke: var(--bad); stroke-dasharray: 6 4; stroke-width: 1.5; }
.chart .budget-label { fill: var(--bad); }
.marker { stroke: var(--quiet); stroke-dasharray: 2 3; }
.marker-head { fill: var(--text); }
.chart .marker-number { fill: var(--card); stroke: none; font-size: 11px; font-weight: 700; }
.ran { fill: var(--accent); background: var(--accent); }
.critical { fill: var(--queue); background: var(--queue); }
.failed { fill: var(--retry); background: var(--retry); }
.waited { fill: var(--people-3); background: var(--people-3); }
.narrow { display: none; }

@media (max-width: 640px) {
  section:not([aria-labelledby="beside"]) { padding: 16px; }
  .wide { display: none; }
  .narrow { display: block; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .markers { columns: 1; }
  th, td { padding-right: 8px; }
  td.right { font-size: 13.5px; letter-spacing: -0.01em; }
  .fixed th:first-child { width: 40%; padding-right: 10px; }
  .slow th.right { width: 76px; }
  .compared th:first-child { width: 32%; }
  .compared th:last-child { width: 29%; }
}
@media print { body { background: none; } section { break-inside: avoid; } }
`;

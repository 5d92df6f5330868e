// Renders a terminal recording as SVG. Lines appear one after the other by CSS; with `prefers-reduced-motion`, all are
// visible at once. It follows the reader's colour scheme.
import { escapeHtml } from "../../packages/reporting/dist/markup.js";

const WIDTH = 96;
const LINE = 20;
const CHAR = 8.4;
/** The time that a reader needs to read a command, in milliseconds per character. */
const TYPED_MS = 60;
const PAUSE_MS = 900;
/** The longest pause between two lines, because watching a busy machine is boring. */
const LONGEST_GAP_MS = 500;

/**
 * The meanings of a terminal's codes (SGR):
 * https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters
 */
const STYLES = { 1: "b", 2: "d", 31: "r", 32: "g", 33: "y" };

const ESCAPE = String.fromCharCode(27);
const CODE = new RegExp(`${ESCAPE}\\[([\\d;]*)m`, "gu");
const WIDE = new RegExp(
  `(?:${ESCAPE}\\[[\\d;]*m|[^${ESCAPE}]){1,${WIDTH}}`,
  "gu",
);

/**
 * Returns the SVG of a recording.
 * @param scenes each a command, and its lines with their times
 */
export function renderRecording(scenes) {
  const rows = [];
  let at = 400;
  for (const { command, lines } of scenes) {
    if (rows.length > 0) rows.push({ atMs: at, spans: [] });
    rows.push({
      atMs: at,
      spans: [
        ["p", "$ "],
        ["b", command],
      ],
    });
    at += command.length * TYPED_MS;
    let before = 0;
    for (const { text, atMs } of lines.flatMap(wrapped)) {
      at += Math.min(atMs - before, LONGEST_GAP_MS);
      before = atMs;
      rows.push({ atMs: at, spans: spansOf(text) });
    }
    at += PAUSE_MS;
  }
  const width = Math.ceil(WIDTH * CHAR) + 40;
  const height = rows.length * LINE + 58;
  const text = rows.map(
    ({ atMs, spans }, index) =>
      `<text x="20" y="${58 + index * LINE}" style="--at:${Math.round(atMs)}ms">${spans
        .map(
          ([style, part]) =>
            `<tspan class="${style}">${escapeHtml(part)}</tspan>`,
        )
        .join("")}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: yarn affected list names three of seven packages, and yarn affected test runs their tests">
<style>
svg { --back: #fbfbfd; --frame: #d0d5dd; --fore: #1f2430; --dim: #667085; --red: #b42318; --green: #157347; --yellow: #8a5a00; }
@media (prefers-color-scheme: dark) {
  svg { --back: #14161c; --frame: #343946; --fore: #e6e8ee; --dim: #98a1b3; --red: #ff8078; --green: #5dd39e; --yellow: #f0c05a; }
}
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--fore); white-space: pre; animation: appear 1ms var(--at) both; }
.b { font-weight: 700; } .d, .p { fill: var(--dim); } .r { fill: var(--red); } .g { fill: var(--green); } .y { fill: var(--yellow); }
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="var(--back)" stroke="var(--frame)"/>
<g fill="var(--frame)"><circle cx="22" cy="20" r="6"/><circle cx="42" cy="20" r="6"/><circle cx="62" cy="20" r="6"/></g>
${text.join("\n")}
</svg>
`;
}

/** Wraps a line as a terminal does. */
function wrapped({ text, atMs }) {
  const parts = text.match(WIDE);
  return (parts ?? [""]).map((part) => ({ text: part, atMs }));
}

/** Splits a line into parts of one style. @returns pairs of a class and its text */
function spansOf(line) {
  let style = "n";
  const spans = [];
  // Every second part holds the numbers of a code.
  for (const [index, part] of line.split(CODE).entries()) {
    if (index % 2 === 0) {
      if (part !== "") spans.push([style, part]);
      continue;
    }
    const names = part
      .split(";")
      .map((each) => STYLES[each])
      .filter(Boolean);
    style = names.length > 0 ? [style, ...names].join(" ") : "n";
  }
  return spans;
}

// Writes the figures of `affected compare --json` into docs/precision.md:
//   node scripts/measure/precision.mjs gateway-manifests.json gateway-turbo.json …
// Each file has the name REPOSITORY-WITH.json. Its row replaces the row of the same comparison, or becomes the last one.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

const PAGE = new URL("../../docs/precision.md", import.meta.url);
const [BEGIN, END] = ["<!-- figures: begin -->", "<!-- figures: end -->"];

const HEAD = [
  "repository",
  "compared with",
  "commits",
  "packages",
  "`affected`: mean",
  "other: mean",
  "times",
  "`affected`: everything",
  "other: everything",
  "misses (commits)",
  "extras (commits)",
];

/** Returns one comparison as a row. */
function rowOf(file) {
  const {
    with: peer,
    script,
    summary,
    commits,
  } = JSON.parse(readFileSync(file, "utf8"));
  const { compared, ours, theirs, ratio, misses, extras } = summary;
  const newest = commits.find(({ kind }) => kind === "compared");
  const name = basename(file, ".json").replace(/-[^-]*$/, "");
  return [
    script ? `${name} (script \`${script}\`)` : name,
    [peer.name, peer.version].filter(Boolean).join(" "),
    compared,
    newest?.packages ?? 0,
    ours.mean.toFixed(1),
    theirs.mean.toFixed(1),
    ratio?.toFixed(2) ?? "",
    ours.everything,
    theirs.everything,
    `${misses.packages} (${misses.commits})`,
    `${extras.packages} (${extras.commits})`,
  ].map(String);
}

/** Renders a Markdown table as oxfmt does: names left-aligned, numbers right-aligned. */
function tableOf(rows) {
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const isName = (column) => column < 2;
  const line = (cells) =>
    `| ${cells
      .map((cell, column) =>
        isName(column)
          ? cell.padEnd(widths[column])
          : cell.padStart(widths[column]),
      )
      .join(" | ")} |`;
  const rule = widths.map((width, column) =>
    isName(column) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [HEAD, rule, ...rows].map(line).join("\n");
}

/** Returns the sentence above the table. */
function summaryOf(rows) {
  const times = rows
    .filter(([name, peer]) => peer === "manifests" && !name.includes("(script"))
    .map((row) => Number(row[HEAD.indexOf("times")]))
    .sort((a, b) => a - b);
  const at = (share) =>
    (times[Math.floor(times.length * share)] ?? 0).toFixed(2);
  return `In half of the ${times.length} repositories, \`affected\` selects at most ${at(0.5)} times as many packages as the manifests alone; in a quarter, more than ${at(0.75)} times as many.`;
}

const text = readFileSync(PAGE, "utf8");
const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
if (from < 0 || to < from) throw new Error("docs/precision.md has no markers");
/** Returns the repository and the other tool, without its version: a row is about these two. */
const keyOf = ([repository, peer]) => `${repository} ${peer.split(" ")[0]}`;
const rows = new Map();
const lines = text.slice(from, to).split("\n");
const first = lines.findIndex((line) => line.startsWith("| ---"));
for (const line of lines.slice(first + 1)) {
  const cells = line.split("|").slice(1, -1);
  const row = cells.map((cell) => cell.trim());
  if (row.length === HEAD.length) rows.set(keyOf(row), row);
}
for (const file of process.argv.slice(2)) {
  const row = rowOf(file);
  rows.set(keyOf(row), row);
}
const table = tableOf([...rows.values()]);
const summary = summaryOf([...rows.values()]);
writeFileSync(
  PAGE,
  `${text.slice(0, from + BEGIN.length)}\n\n${summary}\n\n${table}\n\n${text.slice(to)}`,
);

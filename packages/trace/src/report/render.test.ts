import { expect, test } from "@jest/globals";
import type { Gap } from "../event.js";
import type { Fix, Miss } from "../judge.js";
import type { UnitTrace } from "../unit-trace.js";
import { renderTraceHtml } from "./render-html.js";
import { renderTrace, traceSummary } from "./render-text.js";
import { traceJson, type TraceReport } from "./trace-report.js";
import { fixLine, missNote, missWords } from "./words.js";

const miss: Miss = {
  ...{ unit: "@m/a#test", workspace: "@m/a", script: "test" },
  ...{ owners: ["@m/b"], files: ["packages/b/<x>.js"] },
  ...{ through: undefined, fix: "implicit" },
};
const gaps: readonly Gap[] = [
  { kind: "network", address: "1.2.3.4" },
  ...["d1", "d2", "d3", "d4", "d5", "d6"].map((path): Gap => ({
    kind: "unexplained-file",
    path,
  })),
];
const trace: UnitTrace = {
  ...{ unit: "@m/a#test", workspace: "@m/a", script: "test", passed: false },
  ...{ read: ["packages/b/<x>.js"], executed: [], links: [], missing: [] },
  ...{ found: [], listed: [], linked: [], notInstalled: [], changed: [], gaps },
  listsInstalled: false,
  externals: [{ name: "f", folder: "node_modules/f" }],
  generated: [{ path: "packages/b/dist/x.js", madeBy: "@m/b#build" }],
};
const report: TraceReport = {
  recorder: { kind: "strace", why: undefined },
  traces: [trace],
  notRun: [],
  misses: [miss, { ...miss, through: "@m/b#build", fix: "dependency" }],
  unusedEdges: [
    {
      from: "@m/a",
      to: "@m/c",
      kind: "dependencies",
      evidence: "@m/c@workspace:^",
    },
  ],
  dirOf: (name) => name.replace("@m", "packages"),
};

test("text: misses with the fix for each, incomplete traces, unused edges", () => {
  expect(renderTrace(report)).toBe(`\
miss: @m/a#test read 1 file of @m/b; a change there would not select it
  packages/b/<x>.js
  fix: skein.json: "affected": { "implicitDependencies": {"@m/a":["@m/b"]} }
miss: @m/a#test read 1 file of @m/b through @m/b#build, whose products it used; a change there would not select it
  packages/b/<x>.js
  fix: packages/a/package.json: "devDependencies": { "@m/b": "workspace:^" }
failed: @m/a#test
incomplete: @m/a#test
  it connected to 1.2.3.4
  it used files that aren't sources of the project and that no recorded unit made before: d1, d2, d3, d4, d5 and 1 more
unused: @m/a -> @m/c (dependencies: @m/c@workspace:^); no recorded unit of it used a file there
`);
  expect(traceSummary(report)).toBe(
    "1 unit recorded by strace, 0 complete; 2 misses; 1 unused dependency",
  );
});

test("units that never ran or were stopped make the result incomplete", () => {
  const partial: TraceReport = {
    ...report,
    ...{ traces: [], misses: [], unusedEdges: [] },
    notRun: [
      {
        ...{ unit: "@m/a#test", workspace: "@m/a", script: "test" },
        ...{ status: "cancelled", words: "not started" },
      },
    ],
  };
  expect(renderTrace(partial)).toBe("not recorded: @m/a#test not started\n");
  expect(traceSummary(partial)).toBe(
    "0 units recorded by strace, 0 complete; incomplete, because 1 unit didn't run to the end; 0 misses; 0 unused dependencies",
  );
  expect(renderTraceHtml(partial)).toContain("<li>@m/a#test: not started</li>");
  expect(traceJson(partial)).toMatchObject({ notRun: partial.notRun });
});

test.each<readonly [Fix, string, string]>([
  [
    "unowned",
    "skein.json",
    '"affected": { "unowned": {"packages/b/<x>.js":["@m/a"]} }',
  ],
  ["inputs", "skein.json", '"affected": { "inputs": {"test":["<x>.js"]} }'],
  [
    "ignored",
    "skein.json",
    '"affected.ignore" or "affected.unowned" must not match these files',
  ],
  [
    "not-an-input",
    "skein.json",
    '"affected.inputs" must not match these files',
  ],
  ["test", "skein.json", '"affected.tests" must not match these files'],
])("the fix for %s", (fix, file, line) => {
  expect(fixLine({ ...miss, fix }, report.dirOf)).toEqual({ file, line });
});

test("manifests that a program lists: one miss, with one fix and a note", () => {
  const names = Array.from({ length: 12 }, (_, at) => `@m/p${at}`);
  const files = names.map((name) => `${report.dirOf(name)}/package.json`);
  const listed: Miss = { ...miss, owners: names, files, fix: "manifests" };
  const one = { ...report, traces: [], misses: [listed], unusedEdges: [] };
  expect(renderTrace(one)).toBe(`\
miss: @m/a#test read the package.json of 12 packages, as a program that lists all packages does; a change there would not select it
${files
  .slice(0, 10)
  .map((file) => `  ${file}\n`)
  .join("")}  and 2 more files
  fix: skein.json: "affected": { "implicitDependencies": {"@m/a":["*"]} }
  note: not needed if the program uses only the names and folders of the packages; with it, every changed package selects this one and its dependents
`);
  expect(renderTraceHtml(one)).toContain("(not needed if");
  expect(traceJson(one)).toMatchObject({
    misses: [
      { owners: names, fix: { kind: "manifests", note: missNote(listed) } },
    ],
  });
});

test("a tsconfig.json above packages has a note, unless other files are in the miss", () => {
  const files = ["tsconfig.json", "settings/tsconfig.base.json"];
  expect(missNote({ fix: "unowned", files })).toContain("esbuild");
  expect(missNote({ fix: "unowned", files: [...files, "x.json"] })).toBe(
    undefined,
  );
  expect(missNote({ fix: "implicit", files })).toBe(undefined);
});

test("several packages in one fix", () => {
  const two: Miss = { ...miss, owners: ["@m/b", "@m/c"] };
  const lineOf = (more: Partial<Miss>) =>
    fixLine({ ...two, ...more }, report.dirOf).line;
  expect(lineOf({ fix: "implicit" })).toContain('{"@m/a":["@m/b","@m/c"]}');
  expect(lineOf({ fix: "dependency" })).toBe(
    '"devDependencies": { "@m/b": "workspace:^", "@m/c": "workspace:^" }',
  );
  const files = ["packages/b/README.md", "packages/c/README.md"];
  expect(lineOf({ fix: "inputs", files })).toContain('{"test":["README.md"]}');
  expect(missWords(two)).toContain("1 file of @m/b, @m/c;");
  expect(missWords({ ...two, owners: ["a", "b", "c", "d"] })).toContain(
    "1 file of 4 packages;",
  );
});

test("a glob in a fix matches only the file", () => {
  const files = ["data/[id].json"];
  const { line } = fixLine({ ...miss, files, fix: "unowned" }, report.dirOf);
  expect(line).toContain(JSON.stringify("data/\\[id\\].json"));
});

test("the page shows every list, runs no script, and escapes all names", () => {
  const page = renderTraceHtml(report);
  expect(page).not.toContain("<x>");
  expect(page).not.toContain("<script");
  expect(page).toContain("default-src 'none'");
  for (const part of [
    "packages/b/&lt;x&gt;.js",
    "packages/b/dist/x.js (made by @m/b#build)",
    "f (node_modules/f)",
    "it connected to 1.2.3.4",
    "@m/a -&gt; @m/c (dependencies: @m/c@workspace:^)",
    "failed, incomplete, 1 file read",
  ])
    expect(page).toContain(part);
});

import { describe, expect, test } from "@jest/globals";
import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { reportJson } from "./render-json.js";
import { renderJunit } from "./render-junit.js";
import { estimateLeft, renderLive } from "./render-live.js";
import { renderRunMarkdown } from "./render-run-markdown.js";
import { renderSummary } from "./render-summary.js";
import { renderUnit } from "./render-unit.js";
import {
  sampleReport,
  sampleResults,
  sampleUnit,
} from "./sample-report.test.data.js";
import type { RunReport, UnitResult } from "../unit.js";

const warnings = `warning: b#build did not wait for a#build: they wait for each other (a#build -> b#build -> a#build)
warning: each script was run by Yarn itself, which takes longer: a plugin
`;
const sums =
  "9 scripts: 1 passed, 1 replayed, 2 failed, 1 timed out, 1 cancelled, 1 not started, 2 skipped, in 1 min 05 s (interrupted)\n";

test("the summary contains each failure with its last lines and the command to rerun it, then the counts", () => {
  expect(
    renderSummary(sampleReport, {
      colour: false,
      tails: true,
      again: ({ workspace }) => `yarn workspace ${workspace} run test`,
    }),
  ).toBe(
    `${warnings}- after#test skipped, because bad#test did not pass
- last#test skipped, because bad#test failed
✗ bad#test failed with exit code 1 (1.2 s)
    \u200b::error::mine
    <a & "b"> \\u0000red\ud800 ]]>
  whole output: /tmp/whole.log
  rerun: yarn workspace bad run test
✗ killed#test failed, ended by SIGKILL (1.2 s)
  rerun: yarn workspace killed run test
✗ slow#test timed out after 1 min 00 s (1.2 s)
    waiting
  rerun: yarn workspace slow run test
${sums}`,
  );
});

test("the summary lists the other scripts on request", () => {
  expect(renderSummary(sampleReport, { colour: false, verbose: true })).toBe(
    `${warnings}✓  good#test     1.2 s  passed; processes that it left running were ended
✓  known#test    1.2 s  replayed from 1888b59, 2026-11-23 01:40 UTC
-  stopped#test  1.2 s  cancelled
-  left#test            not started
-  after#test           skipped, because bad#test did not pass
-  last#test            skipped, because bad#test failed
✗ bad#test failed with exit code 1 (1.2 s)
  whole output: /tmp/whole.log
✗ killed#test failed, ended by SIGKILL (1.2 s)
✗ slow#test timed out after 1 min 00 s (1.2 s)
${sums}`,
  );
});

test("scripts that were skipped for the same reason share one line", () => {
  const skipped = (name: string): UnitResult => ({
    status: "skipped",
    unit: sampleUnit(name),
    why: { kind: "bail", unit: "bad#test" },
  });
  expect(
    renderSummary(
      {
        results: [skipped("a"), skipped("b")],
        broken: [],
        durationMs: 3,
        interrupted: false,
      },
      { colour: false },
    ),
  ).toBe(
    "- 2 scripts skipped, because bad#test failed\n2 scripts: 2 skipped, in 3 ms\n",
  );
});

test("the job summary contains failures with their last lines, and all scripts in a folded table", () => {
  const markdown = renderRunMarkdown(
    {
      ...sampleReport,
      results: sampleResults.filter(({ unit }) =>
        /^(?:good|bad)#/.test(unit.id),
      ),
    },
    "test",
    ({ workspace }) => `yarn workspace ${workspace} run test`,
  );
  expect(markdown).toBe(`### ✗ affected \`test\`

2 scripts: 1 passed, 1 failed, in 1 min 05 s (interrupted)

**✗** \`bad#test\` failed with exit code 1

    \u200b::error::mine
    <a & "b"> \\u0000red\ud800 ]]>

Rerun it: \`yarn workspace bad run test\`

<details><summary>All scripts</summary>

|  | script | time | result |
| --- | --- | --: | --- |
| ✓ | \`good#test\` | 1.2 s | passed |
| ✗ | \`bad#test\` | 1.2 s | failed with exit code 1 |

</details>

`);
});

test("a run of nothing is reported", () => {
  expect(
    renderSummary(
      { results: [], broken: [], durationMs: 3, interrupted: false },
      { colour: false },
    ),
  ).toBe("0 scripts: nothing to run, in 3 ms\n");
});

describe("a finished unit", () => {
  const [passed, replayed, failed] = sampleResults as [
    UnitResult,
    UnitResult,
    UnitResult,
  ];
  const log = "output" in failed ? failed.output.text : "";

  test.each([
    [
      passed,
      "full",
      "✓ good#test passed (1.2 s)\nfine\n  processes that it left running were ended\n",
    ],
    [
      passed,
      "failed",
      "✓ good#test passed (1.2 s)\n  processes that it left running were ended\n",
    ],
    [
      replayed,
      "full",
      "✓ known#test replayed from 1888b59, 2026-11-23 01:40 UTC (1.2 s)\nfine before\n",
    ],
    [
      failed,
      "failed",
      `✗ bad#test failed with exit code 1 (1.2 s)\n${log}  whole output: /tmp/whole.log\n`,
    ],
    [
      failed,
      "none",
      "✗ bad#test failed with exit code 1 (1.2 s)\n  whole output: /tmp/whole.log\n",
    ],
  ] as const)("as lines %#", (result, mode, text) => {
    expect(renderUnit(result, { mode, colour: false })).toBe(text);
  });

  test("in Actions, its output is in a group and can't contain commands", () => {
    expect(
      renderUnit(failed, {
        mode: "failed",
        colour: false,
        actionsToken: "t0k",
      }),
    ).toBe(
      `::group::✗ bad#test failed with exit code 1 (1.2 s)\n::stop-commands::t0k\n${log}::t0k::\n::endgroup::\n  whole output: /tmp/whole.log\n::error title=bad#test::✗ bad#test failed with exit code 1 (1.2 s)\n`,
    );
  });

  test("in Actions, a failure is annotated at the line that its output names", () => {
    const output = { text: "at f (src/a.test.js:7:8)\n", bytes: 25 };
    expect(
      renderUnit(
        { ...(failed as UnitResult & { status: "failed" }), output },
        {
          mode: "none",
          colour: false,
          actionsToken: "t0k",
          root: "/shop",
        },
      ),
    ).toContain(
      "::error title=bad#test,file=packages/bad/src/a.test.js,line=7::✗ bad#test failed",
    );
  });

  test("a package's name can't contain commands either", () => {
    const result: UnitResult = {
      status: "cancelled",
      started: false,
      unit: { ...sampleUnit("x"), id: "x\n::error::%\r" },
    };
    expect(
      renderUnit(result, { mode: "full", colour: false, actionsToken: "t" }),
    ).toBe("- x\\n::error::%\\r not started\n");
  });

  test("all output of a script is between the stop command and its token", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const output = {
          text: `${text}\n::endgroup::\n::warning::x`,
          bytes: 1,
        };
        const shown = renderUnit(
          { ...(passed as UnitResult & { status: "passed" }), output },
          { mode: "full", colour: false, actionsToken: "t0k" },
        );
        const inner = shown.split("::stop-commands::t0k\n")[1] ?? "";
        expect(inner.split("\n::t0k::\n")[0]).toBe(output.text);
      }),
    );
  });
});

describe("JUnit", () => {
  test("has a suite for each package, and the failures", () => {
    const xml = renderJunit(sampleReport);
    expect(xml.split("\n").slice(0, 15)).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites tests="9" failures="3" errors="0" skipped="4" time="65.000">',
      '  <testsuite name="good" tests="1" failures="0" errors="0" skipped="0" time="1.234">',
      '    <testcase classname="good" name="test" time="1.234"/>',
      "  </testsuite>",
      '  <testsuite name="known" tests="1" failures="0" errors="0" skipped="0" time="1.234">',
      '    <testcase classname="known" name="test" time="1.234">',
      '      <properties><property name="replayed" value="replayed from 1888b59, 2026-11-23 01:40 UTC"/></properties>',
      "    </testcase>",
      "  </testsuite>",
      '  <testsuite name="bad" tests="1" failures="1" errors="0" skipped="0" time="1.234">',
      '    <testcase classname="bad" name="test" time="1.234">',
      '      <failure message="failed with exit code 1">::error::mine&#10;&lt;a &amp; &quot;b&quot;&gt; \ufffd\ufffd[31mred\ufffd[0m\ufffd ]]&gt;&#13;&#10;</failure>',
      "    </testcase>",
      "  </testsuite>",
    ]);
  });

  test("is well-formed for any output, and contains the end of long output", () => {
    const failed = sampleResults[2] as UnitResult & { status: "failed" };
    const anything = anyText();
    fc.assert(
      fc.property(anything, anything, (text, name) => {
        const report: RunReport = {
          ...sampleReport,
          results: [
            {
              ...failed,
              unit: sampleUnit(name),
              output: { text: `${"x".repeat(70_000)}${text}END`, bytes: 1 },
            },
          ],
        };
        let read = "";
        const parser = new SaxesParser();
        parser.on("error", (error) => {
          throw error;
        });
        parser.on("text", (chunk) => (read += chunk));
        parser.write(renderJunit(report)).close();
        expect(read.trim().length).toBeLessThan(66_000);
        expect(read.trim().endsWith("END")).toBe(true);
      }),
    );
  });
});

test("the JSON report matches its schema", async () => {
  const schema: unknown = JSON.parse(
    await readFile(
      new URL("../../schemas/run-report.schema.json", import.meta.url),
      "utf8",
    ),
  );
  const report = reportJson(sampleReport);
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  const validate = ajv.compile(schema as object);
  expect([
    validate(JSON.parse(JSON.stringify(report))),
    validate.errors,
  ]).toEqual([true, null]);
  expect(validate({ ...report, version: 2 })).toBe(false);
  expect(report.units[1]).toMatchObject({
    id: "known#test",
    status: "passed",
    started: false,
    via: null,
    durationMs: 1_234,
    replayed: {
      commit: "1888b59a2e0d4ecf6c6f5ff4c6a3d6bde6d1c1b0",
      at: "2026-11-23T01:40:00.000Z",
    },
  });
  expect(report.units[2]).toEqual({
    id: "bad#test",
    package: "bad",
    dir: "packages/bad",
    script: "test",
    args: [],
    pulledIn: false,
    status: "failed",
    started: true,
    exitCode: 1,
    signal: null,
    durationMs: 1_234,
    timeoutMs: null,
    via: "yarn",
    viaReason: "a plugin",
    aloneReason: null,
    leftBehind: false,
    replayed: null,
    skippedFor: null,
    output: {
      text: '::error::mine\n<a & "b"> \u0000\u001b[31mred\u001b[0m\ud800 ]]>\r\n',
      bytes: 99,
      file: "/tmp/whole.log",
    },
  });
});

describe("the live area", () => {
  test("shows the running, finished and remaining units", () => {
    const running = Array.from({ length: 10 }, (_, i) => ({
      id: `@scope/package-${String(i)}#test`,
      sinceMs: 1_000 * i,
    }));
    expect(
      renderLive(
        {
          running,
          done: 3,
          failed: 1,
          total: 20,
          elapsedMs: 61_000,
          leftMs: 9_000,
        },
        32,
        false,
      ),
    ).toEqual([
      ...Array.from({ length: 8 }, (_, i) =>
        `  @scope/package-${String(i)}#test ${i === 0 ? "0 ms" : `${String(i)}.0 s`}`.slice(
          0,
          31,
        ),
      ),
      "  and 2 more",
      "3/20 done · 1 failed · 10 runn…",
    ]);
  });

  test.each([
    [[], 2, 0],
    [[undefined], 2, undefined],
    [[1_000, 1_000, 1_000, 1_000], 2, 2_000],
    [[9_000, 1_000], 4, 9_000],
    [[1_000, undefined, 3_000, undefined], 1, 8_000],
  ])(
    "%j with %d concurrent units takes %d ms",
    (remainingMs, concurrency, left) => {
      expect(estimateLeft({ remainingMs, concurrency })).toBe(left);
    },
  );
});

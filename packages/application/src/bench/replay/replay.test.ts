import { describe, expect, test } from "@jest/globals";
import type { Sample } from "../measure/measure.js";
import { parseOptions } from "./options.js";
import { renderReplay } from "./render.js";
import { RUNNERS } from "./runners.js";

const sample = (wallMs: number): Sample => ({
  ...{ wallMs, cpuMs: wallMs / 2, peakMb: 1, exitCode: 0, stopped: false },
  ...{ stdout: "", stderr: "" },
});

describe("options", () => {
  test("select tools and sizes", () => {
    const { packages, runners, hits, watch } = parseOptions(
      "--packages 6 --only lage,skein --no-hits".split(" "),
    );
    expect([packages, hits, watch]).toEqual([6, false, true]);
    expect(runners.map(({ name }) => name)).toEqual(["skein", "lage"]);
  });
  test.each([
    { args: ["--only", "nix"], words: 'nothing is called "nix"' },
    { args: ["--packages", "some"], words: 'not "some"' },
    { args: ["--speed", "9"], words: "Unknown option '--speed'" },
  ])("refuse $args", ({ args, words }) => {
    expect(() => parseOptions(args)).toThrow(words);
  });
});

test.each([
  ["skein", "3 scripts: 1 passed, 2 replayed, in 1 s", 2],
  [
    "turborepo",
    "Tasks: 3 successful, 3 total\nCached:    2 cached, 3 total",
    2,
  ],
  [
    "nx",
    "Nx read the output from the cache instead of running the command for 2 out of 3 tasks.",
    2,
  ],
  ["nx", "Successfully ran target test for 3 projects", 0],
  ["lage", "success: 1, skipped: 2, pending: 0", 2],
])(
  "the number of scripts that %s replayed is read from its output",
  (name, output, count) => {
    const runner = RUNNERS.find((each) => each.name === name);
    expect(runner?.replayed(output)).toBe(count);
  },
);

test("the report compares tools with Skein, and counts false hits", () => {
  const row = (label: string, wallMs: number) => ({
    label,
    command: [label],
    by: new Map([
      [
        "cold" as const,
        { samples: [sample(wallMs)], replayed: 0, problem: undefined },
      ],
    ]),
  });
  const report = renderReplay({
    machine: {
      ...{ cores: 2, cpu: "cpu", platform: "linux", node: "20", git: "2" },
      ...{ load: [1, 2], date: "2026-01-31 09:00" },
    },
    ...{ command: "yarn bench:run", runs: 1, versions: ["lage@1"] },
    jest: {
      packages: 2,
      cold: true,
      rows: [row("Skein", 10), row("lage", 30)],
    },
    trivial: undefined,
    coldCacheMs: 1.25,
    hits: [
      {
        words: "a file",
        by: new Map([
          ["Skein", "ran"],
          ["lage", "false hit"],
        ]),
      },
    ],
    watch: { packages: 1000, answersMs: [40, 60] },
  });
  expect(report)
    .toBe(`Made on 2026-01-31 09:00 UTC by \`yarn bench:run\` on 2 cores (cpu), linux, Node 20, git 2; load 1.0 before and 2.0 after; 1 runs of each scenario in turns, the cold ones once. With lage@1.

#### 2 packages with three Jest suites each

|  | Skein, ms | lage, ms | x Skein |
| --- | ---: | ---: | ---: |
| cold | 10 (10), 5 [0] | 30 (30), 15 [0] | 3.00 (3.00) |

Wall time, median (least), processor time, and in brackets how many scripts were replayed; ratios of wall time, in brackets those of processor time. A daemon's processor time (Nx) is not counted.

A cold cache adds 1.3 ms to each unit: median of the cold runs beside runs with \`--no-cache\`, pair by pair.

\`affected watch test\`, 1,000 packages: from the save of a file to the answer which packages it affects 50 ms (40 to 60, 2 saves).

#### One input changed after a green run

| what changed | Skein | lage |
| --- | ---: | ---: |
| a file | ran | **false hit** |
| false hits of 1 | 0 | 1 |


The commands: Skein: \`Skein\`; lage: \`lage\`.
`);
});

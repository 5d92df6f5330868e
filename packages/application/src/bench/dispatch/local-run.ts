import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bigWorkspace, json, type Files } from "@skein/testing";
import { skeinRoot } from "../../packed.js";
import { installAll } from "../install.js";
import { makeSite } from "../make-site.js";
import { problemOf } from "../measure/failure.js";
import { measure, type Sample } from "../measure/measure.js";
import { rounds } from "../measure/rounds.js";
import { median } from "../measure/statistics.js";
import { stopAll } from "../parts/affected.js";
import { yarnFolder } from "../parts/running.js";
import { markdownTable } from "../report/markdown-table.js";
import { membersOf } from "../site.js";
import { nx } from "../tools/nx.js";
import { turborepo } from "../tools/turborepo.js";

const DISPATCH = join(skeinRoot, "tools/ci-dispatch/bin/ci-dispatch.js");
const PACKAGES = 12;
const TIMEOUT_MS = 120_000;

/**
 * Returns how long the test of a package waits, in milliseconds: there are few long and many short tests, as in real
 * workspaces.
 */
function durationOf(index: number): number {
  const place = ((index * 5) % PACKAGES) + 0.5;
  return Math.round(150 / (1 - place / PACKAGES) ** 0.9);
}

interface Row {
  readonly label: string;
  readonly workers: number;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Returns the number of scripts that ran, according to the output. */
  readonly ran: (output: string) => number;
}

/**
 * Runs the tests of a generated workspace with ci-dispatch, Turborepo and Nx, with one worker and with two. A test
 * waits instead of working, so that the machine's own load matters little, and the best possible time is known.
 * @param folder to work in
 * @param runs of each, after a warm-up
 * @returns the table, as Markdown
 */
export async function measureLocalRun(
  folder: string,
  runs: number,
  log: (line: string) => void,
): Promise<string> {
  const installed = await installAll(folder, [turborepo, nx], log);
  const files = bigWorkspace({ packages: PACKAGES - 1 });
  const waits = membersOf(files).map(({ name, dir }, index) => ({
    name,
    dir,
    ms: durationOf(index),
  }));
  const extra = Object.fromEntries(
    waits.map(({ dir, ms }) => {
      const path = `${dir}/package.json`;
      const text = files[path];
      if (typeof text !== "string") throw new Error(`${path} isn't text`);
      const manifest = JSON.parse(text) as object;
      const scripts = { test: `node -e "setTimeout(() => {}, ${ms})"` };
      return [path, json({ ...manifest, scripts })];
    }),
  ) as Files;
  const site = await makeSite({
    dir: join(folder, "workspace-dispatch"),
    packages: PACKAGES - 1,
    installed,
    changed: (members) => members,
    extra,
  });
  const history = join(folder, "history.ndjson");
  await writeFile(
    history,
    waits
      .map(({ name, ms }) =>
        JSON.stringify({
          version: 1,
          at: "2026-01-01T00:00:00Z",
          commit: "0",
          unit: `${name}#test`,
          ms,
          verdict: "passed",
        }),
      )
      .join("\n"),
  );
  const out = join(folder, "out");
  const rows = [1, 2].flatMap((workers): Row[] => {
    const concurrent = { ...site, concurrency: workers };
    const peers = installed.flatMap(({ tool: { run }, problem }) =>
      run && problem === undefined
        ? [{ ...run, workers, argv: run.argv(concurrent) }]
        : [],
    );
    return [
      {
        label: "ci-dispatch run",
        workers,
        argv: [
          ...["node", DISPATCH, "run", "--base=main", "--committed"],
          ...[`--workers=${workers}`, `--jobs=${workers}`],
          ...[`--history=${history}`, `--directory=${out}`],
        ],
        ran: (output) => Number(/green: (\d+) passed/.exec(output)?.[1]),
      },
      ...peers,
    ];
  });
  const path = `${await yarnFolder(folder)}:${process.env["PATH"] ?? ""}`;
  const samples = await rounds(
    rows.map(({ label, workers, argv, env }) => ({
      label: `${label}, ${workers}`,
      run: async () => {
        await rm(out, { recursive: true, force: true });
        const environment = { PATH: path, ...env };
        return measure({ cwd: site.dir, argv, env: environment }, TIMEOUT_MS);
      },
    })),
    { runs, budgetMs: runs * TIMEOUT_MS, log },
  );
  await stopAll(installed, site);
  return render(
    rows,
    samples,
    waits.map(({ ms }) => ms),
    runs,
  );
}

function render(
  rows: readonly Row[],
  samples: readonly (readonly Sample[])[],
  waits: readonly number[],
  runs: number,
): string {
  const total = waits.reduce((sum, ms) => sum + ms, 0);
  const seconds = (ms: number) => (ms / 1000).toFixed(2);
  const medians = samples.map((each) => median(each.map((one) => one.wallMs)));
  const table = markdownTable(
    ["", "workers", "seconds, median (least)", "x only the tests", "x ours"],
    rows.map(({ label, workers, ran }, index) => {
      const own = samples[index] ?? [];
      const bound = Math.max(total / workers, ...waits);
      const ours = rows.findIndex((row) => row.workers === workers);
      const middle = medians[index] ?? NaN;
      const problem = problemOf(own, ran, PACKAGES);
      if (problem !== undefined) return [label, `${workers}`, problem, "", ""];
      const least = Math.min(...own.map(({ wallMs }) => wallMs));
      return [
        label,
        `${workers}`,
        `${seconds(middle)} (${seconds(least)})`,
        (middle / bound).toFixed(2),
        (middle / (medians[ours] ?? NaN)).toFixed(2),
      ];
    }),
  );
  const versions = [turborepo, nx].flatMap(({ install }) => install).join(", ");
  return `${waits.length} packages whose tests wait ${seconds(total)} s in all, the longest ${seconds(Math.max(...waits))} s; ${runs === 1 ? "one run" : `${runs} runs`} of each, in turns, after one that warms up; ${versions}; caches off:\n\n${table}`;
}

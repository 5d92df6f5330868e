import { appendFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { inFolder } from "../env.js";
import { lastWords } from "../measure/failure.js";
import { measure, type Sample } from "../measure/measure.js";
import type { Runner } from "./runners.js";
import type { Scenario } from "./scenarios.js";
import { JEST_CACHE, type Contestant, type ReplaySite } from "./site.js";

/** The measurements of one tool in one scenario. */
export interface Measured {
  readonly samples: readonly Sample[];
  /** The number of scripts that its last run replayed. */
  readonly replayed: number;
  /** Why the row can't be compared; undefined if it can. */
  readonly problem: string | undefined;
}

export interface SiteResult {
  readonly packages: number;
  readonly cold: boolean;
  readonly rows: readonly {
    readonly label: string;
    readonly command: readonly string[];
    readonly by: ReadonlyMap<Scenario, Measured>;
  }[];
}

export interface SiteRequest {
  readonly runs: number;
  /** The address of a server. */
  readonly server: string;
  /**
   * A folder whose `yarn` starts nothing. It fills the peers' caches, which then need no cold run; undefined to measure cold
   * runs.
   */
  readonly fillWith: string | undefined;
  readonly log: (line: string) => void;
}

/** The time limit of one run, in milliseconds. */
const LONGEST = 30 * 60_000;

/** Measures every tool in every scenario. The tools take turns, and each round starts with another tool. */
export async function measureSite(
  site: ReplaySite,
  contestants: readonly Contestant[],
  { runs, server, fillWith, log }: SiteRequest,
): Promise<SiteResult> {
  const results = new Map(
    contestants.map(({ runner }) => [runner, new Map<Scenario, Measured>()]),
  );
  const turn = async (
    scenario: Scenario,
    round: number,
    work: (runner: Runner) => Promise<Sample | undefined>,
  ) => {
    for (const { runner } of rotated(contestants, round)) {
      const sample = await work(runner);
      if (!sample) continue;
      const by = results.get(runner);
      const before = by?.get(scenario)?.samples ?? [];
      const replayed = runner.replayed(sample.stdout + sample.stderr);
      const problem =
        sample.exitCode !== 0
          ? lastWords(`${sample.stdout}\n${sample.stderr}`)
          : scenario.startsWith("cold") && replayed > 0
            ? "its cache was not empty"
            : undefined;
      by?.set(scenario, { samples: [...before, sample], replayed, problem });
      log(
        `${runner.label}, ${scenario}: ${Math.round(sample.wallMs)} ms, exit code ${sample.exitCode}`,
      );
    }
  };
  const run = (runner: Runner, env: Readonly<Record<string, string>> = {}) =>
    measure(commandOf(runner, site, env), LONGEST);
  const fills = (runner: Runner) =>
    fillWith !== undefined && runner.name !== "skein";

  // The first run of all reads programs from the disk that the others find in memory.
  const [first] = site.members;
  if (first && fillWith === undefined)
    await measure(
      {
        cwd: join(site.dir, first.dir),
        argv: ["yarn", "run", "test"],
        env: pathWith(site.bins),
      },
      LONGEST,
    );
  await turn("cold", 0, async (runner) => {
    await forget(site.dir, runner);
    if (!fills(runner)) return run(runner);
    await run(runner, pathWith([fillWith ?? ""]));
    return undefined;
  });
  await turn("cold, with the server", 1, async (runner) => {
    if (!runner.server) return undefined;
    await forget(site.dir, runner);
    const env = runner.server(server);
    if (!fills(runner)) return run(runner, env);
    await run(runner, { ...env, ...pathWith([fillWith ?? ""]) });
    return undefined;
  });
  for (let round = 0; round < runs; round++)
    await turn("replayed from disk", round, (runner) => run(runner));
  for (let round = 0; round < runs; round++)
    await turn("replayed from the server", round, async (runner) => {
      if (!runner.server) return undefined;
      await forget(site.dir, runner);
      return run(runner, runner.server(server));
    });
  for (const [scenario, file] of [
    ["one leaf changed", site.leaf],
    ["one in the middle changed", site.middle],
  ] as const)
    for (let round = 0; round < runs; round++) {
      await appendFile(join(site.dir, file), `// ${scenario} ${round}\n`);
      await turn(scenario, round, (runner) => run(runner));
    }
  return {
    packages: site.members.length,
    cold: fillWith === undefined,
    rows: contestants.map(({ runner }) => ({
      label: runner.label,
      command: runner.argv(site.dir),
      by: results.get(runner) ?? new Map<Scenario, Measured>(),
    })),
  };
}

/** Returns the command that starts a runner in a workspace. */
export function commandOf(
  { argv, env }: Runner,
  { dir, bins }: Pick<ReplaySite, "dir" | "bins">,
  more: Readonly<Record<string, string>> = {},
) {
  return {
    cwd: dir,
    argv: argv(dir),
    env: { ...pathWith(bins), ...inFolder(env, dir), ...more },
  };
}

function pathWith(bins: readonly string[]): Record<string, string> {
  return { PATH: [...bins, process.env["PATH"] ?? ""].join(":") };
}

/** Deletes everything that a runner has cached. Its daemon, which has results in memory, ends before. */
export async function forget(dir: string, runner: Runner): Promise<void> {
  for (const argv of runner.tool.stop ?? [])
    await measure({ cwd: dir, argv }, 20_000);
  const homes = (
    await Promise.all(
      ["packages", "apps"].map(async (top) =>
        (await readdir(join(dir, top)).catch(() => [])).map(
          (name) => `${top}/${name}`,
        ),
      ),
    )
  ).flat();
  const paths = [...runner.keeps, JEST_CACHE].flatMap((path) =>
    path.startsWith("*") ? homes.map((home) => home + path.slice(1)) : [path],
  );
  await Promise.all(
    paths.map((path) =>
      rm(join(dir, path), { recursive: true, force: true, maxRetries: 9 }),
    ),
  );
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const start = by % Math.max(1, list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}

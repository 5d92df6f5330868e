import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { yarnRelease } from "@skein/testing";
import type { Installed } from "../install.js";
import { makeSite } from "../make-site.js";
import { problemOf } from "../measure/failure.js";
import { measure, type Sample } from "../measure/measure.js";
import { rounds } from "../measure/rounds.js";
import type { BenchOptions } from "../options.js";
import { stopAll } from "./affected.js";

const BARE = fileURLToPath(new URL("../children/bare.js", import.meta.url));
/** The number of affected packages, each with a script `test`. */
const SCRIPTS = 100;

/** The result of running the scripts with one tool. */
export interface RunResult {
  readonly label: string;
  readonly command: readonly string[];
  readonly samples: readonly Sample[];
  /** Why it can't be compared; undefined if it ran every script. */
  readonly problem: string | undefined;
}

export interface RunResults {
  readonly scripts: number;
  readonly concurrency: number;
  /** Only the scripts, started by a loop without any tool. */
  readonly bare: RunResult;
  readonly tools: readonly RunResult[];
}

/** Runs the trivial script `node -e 0` in 100 affected packages with each tool that can run scripts. */
export async function measureRunning(
  folder: string,
  installed: readonly Installed[],
  options: BenchOptions & { readonly log: (line: string) => void },
): Promise<RunResults> {
  const { log, timeoutMs } = options;
  log(`generate a workspace of ${SCRIPTS} packages that all changed`);
  const site = await makeSite({
    dir: join(folder, "workspace-run"),
    // The application is one of the 100 packages.
    packages: SCRIPTS - 1,
    installed,
    changed: (members) => members,
  });
  // Turborepo, Nx and lage start `yarn run` for each script, and find Yarn on the PATH, as for their users.
  const path = `${await yarnFolder(folder)}:${process.env["PATH"] ?? ""}`;
  const bare = ["node", BARE, `${SCRIPTS}`, `${site.concurrency}`];
  const entries = [
    {
      label: "bare",
      argv: bare,
      env: {},
      ran: () => SCRIPTS,
      problem: undefined,
    },
    ...installed.flatMap(({ tool: { run }, problem }) =>
      run ? [{ env: {}, ...run, argv: run.argv(site), problem }] : [],
    ),
  ];
  const runnable = entries.filter(({ problem }) => problem === undefined);
  const measured = await rounds(
    runnable.map(({ label, argv, env }) => ({
      label: `${label}, ${SCRIPTS} scripts`,
      run: () =>
        measure(
          { cwd: site.dir, argv, env: { PATH: path, ...env } },
          2 * timeoutMs,
        ),
    })),
    {
      ...options,
      runs: Math.min(3, options.runs),
    },
  );
  await stopAll(installed, site);
  const results = entries.map((entry): RunResult => {
    const samples = measured[runnable.indexOf(entry)] ?? [];
    const { label, argv, ran, problem } = entry;
    return {
      label,
      command: argv,
      samples,
      problem: problem ?? problemOf(samples, ran, SCRIPTS),
    };
  });
  const [first, ...tools] = results;
  if (!first) throw new Error("the bare loop was not measured");
  return {
    scripts: SCRIPTS,
    concurrency: site.concurrency,
    bare: first,
    tools,
  };
}

/** Creates a folder with Yarn for the PATH. It isn't a `node_modules/.bin`, because Nx removes those from the PATH. */
export async function yarnFolder(folder: string): Promise<string> {
  const bins = join(folder, "bin");
  await rm(bins, { recursive: true, force: true });
  await mkdir(bins);
  await symlink(yarnRelease, join(bins, "yarn"));
  return bins;
}

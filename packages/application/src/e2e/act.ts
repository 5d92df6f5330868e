import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import {
  certificates,
  writeFiles,
  yarnPath,
  yarnTestEnv,
} from "@skein/testing";
import { repositoryFile, skeinRoot } from "../packed.js";
import { PUBLISHED } from "../workflows/shown.js";
import { parseWorkflow } from "../workflows/workflow.js";
import { shimFiles, shimOptions } from "./actions.js";

/** The act that scripts/e2e.mjs builds. */
const BUILT = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "skein/github.com_nektos_act@v0.2.89/act",
);

/** One run of a workflow. */
export interface ActRun {
  /** An empty folder for temporary files of the run. */
  readonly folder: string;
  /** The checkout, which act copies into each job. */
  readonly workspace: string;
  /** A bare repository, for checkouts of another branch. */
  readonly origin: string;
  /** The name of a file in `.github/workflows` of the checkout. */
  readonly workflow: string;
  readonly event: string;
  readonly payload: unknown;
  /** The folder of the run's artifacts. It may contain those of an earlier attempt. */
  readonly artifacts: string;
  readonly env: Readonly<Record<string, string>>;
  /** Secrets of the repository, besides GITHUB_TOKEN. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The ref of the origin that legs check out; undefined if act itself puts the workspace there. */
  readonly ref?: string;
  /** The URL of the registry with the tools. */
  readonly registry: string;
}

/** The result of a run. */
export interface ActResult {
  readonly exitCode: number;
  /** The logs of all jobs. */
  readonly log: string;
  /** The output of act in order, with times in milliseconds since 1970. */
  readonly printed: readonly { readonly at: number; readonly text: string }[];
  /** For each job, whether act reports success. */
  readonly jobs: Readonly<Record<string, boolean>>;
}

/**
 * Returns the conclusion that the run would have at GitHub. act doesn't support `continue-on-error` of jobs, and its
 * exit code is that of any failed job.
 */
export function concluded({ jobs }: ActResult): "success" | "failure" {
  const shipped = parseWorkflow(
    repositoryFile(".github/workflows/ci-dispatch.yml"),
  ).jobs;
  return Object.entries(jobs).every(
    ([id, succeeded]) =>
      succeeded || shipped[id]?.["continue-on-error"] === true,
  )
    ? "success"
    : "failure";
}

/** Runs a workflow file of a checkout on this machine. The called workflows are those of this repository. */
export async function runAct(run: ActRun): Promise<ActResult> {
  const { ACT_PATH: program = BUILT } = process.env;
  if (program === BUILT && !existsSync(program))
    throw new Error("there is no act: `yarn test:e2e` builds it");
  const host = yarnTestEnv();
  const places = await writeActFiles(run, host);
  const printed: { at: number; text: string }[] = [];
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      actArguments(run, places),
      {
        cwd: run.workspace,
        maxBuffer: 2 ** 28,
        env: {
          ...host,
          // Keeps act's own files in this folder.
          HOME: run.folder,
          XDG_CACHE_HOME: join(run.folder, "cache"),
          XDG_CONFIG_HOME: join(run.folder, "config"),
          PATH: `${places.bins}${delimiter}${host["PATH"] ?? ""}`,
        },
      },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== "number") {
          reject(new Error(`act: ${error.message}`));
          return;
        }
        const log = `${stdout}${stderr}`;
        const exitCode = Number(error?.code ?? 0);
        resolve({ exitCode, log, printed, jobs: jobsIn(log) });
      },
    );
    child.stdout?.on("data", (text: string) => {
      printed.push({ at: Date.now(), text });
    });
  });
}

/** Files and folders of one run. */
interface ActPlaces {
  readonly actions: string;
  readonly bins: string;
  readonly npmrc: string;
  readonly payload: string;
}

async function writeActFiles(
  run: ActRun,
  host: NodeJS.ProcessEnv,
): Promise<ActPlaces> {
  const { folder } = run;
  const actions = join(folder, "actions");
  const bins = join(folder, "bin");
  const yarn = `#!/bin/sh\nexec '${process.execPath}' '${yarnPath}' "$@"\n`;
  await writeFiles(actions, shimFiles);
  await writeFiles(bins, {
    corepack: { executable: "#!/bin/sh\n" },
    yarn: { executable: yarn },
    npm: { executable: npmScript(host["PATH"] ?? "") },
  });
  await mkdir(run.artifacts, { recursive: true });
  const npmrc = join(folder, "npmrc");
  await writeFile(npmrc, `@skein:registry=${run.registry}/\n`);
  const payload = join(folder, "event.json");
  await writeFile(payload, JSON.stringify(run.payload));
  return { actions, bins, npmrc, payload };
}

function actArguments(
  run: ActRun,
  { actions, npmrc, payload }: ActPlaces,
): readonly string[] {
  const shipped = ["ci-dispatch.yml", "metrics.yml", "reporter.yml"]
    .map((name) => repositoryFile(`.github/workflows/${name}`))
    .join("");
  const variables = {
    GITHUB_REPOSITORY: "octo/shop",
    E2E_ARTIFACTS: run.artifacts,
    E2E_ORIGIN: run.origin,
    E2E_REF: run.ref ?? "",
    npm_config_userconfig: npmrc,
    ...run.env,
  };
  return [
    run.event,
    "--platform=ubuntu-latest=-self-hosted",
    `--workflows=.github/workflows/${run.workflow}`,
    `--eventpath=${payload}`,
    "--defaultbranch=main",
    "--actor=octocat",
    "--secret=GITHUB_TOKEN=writer",
    ...Object.entries(run.secrets ?? {}).map(
      ([name, value]) => `--secret=${name}=${value}`,
    ),
    ...(run.ref === undefined ? [] : ["--no-skip-checkout"]),
    "--no-cache-server",
    "--pull=false",
    "--concurrent-jobs=2",
    "--log-prefix-job-id",
    ...shimOptions(shipped, actions),
    `--local-repository=${PUBLISHED}=${skeinRoot}`,
    ...Object.entries(variables).map(
      ([name, value]) => `--env=${name}=${value}`,
    ),
  ];
}

/** Returns whether each job succeeded, by its id. */
function jobsIn(log: string): ActResult["jobs"] {
  const ends = log.matchAll(
    /^\[([^\]]*?)\s*\] .*🏁 {2}Job (succeeded|failed)/gm,
  );
  return Object.fromEntries(
    [...ends].map(([, job = "", how]) => [job, how === "succeeded"]),
  );
}

/** Returns a script that runs the npm of a PATH. Only its installs use the npm registry. */
function npmScript(path: string): string {
  const variables = Object.entries(certificates).map(
    ([name, value]) => `${name}='${value}'`,
  );
  return `#!/bin/sh
npm=$(PATH='${path}' && command -v npm)
[ "$1" != install ] || exec env ${variables.join(" ")} "$npm" "$@"
exec "$npm" "$@"
`;
}

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ciOf } from "@skein/ci";
import {
  didYouMean,
  inertLog,
  printable,
  usageFailure,
} from "@skein/reporting";
import { appendOutputs } from "@skein/reporting/actions-files";
import { replaceFile } from "@skein/reporting/replace-file";
import type { Attestation } from "../attestation.js";
import type { ExecCommand } from "../command.js";
import { checkHead } from "../exec/check-head.js";
import { runJob } from "../exec/run-job.js";
import { exitCodeOf } from "../failure-classes.js";
import type { Plan } from "../plan.js";
import { readPlan } from "../plan/file/read-plan.js";
import { renderAttestation } from "../render/render-attestation.js";
import { sinceBegan } from "../render/time-line.js";
import { judge } from "../verdict/judge.js";
import { retriable } from "../verdict/retriable.js";
import type { DispatchWorld } from "../world.js";

/** Runs `ci-dispatch exec --job ID`: one job of a plan and its attestation. */
export async function exec(
  world: DispatchWorld,
  command: ExecCommand,
): Promise<number> {
  const { cwd, env, stdout } = world;
  const setupMs = sinceBegan(world.now(), command.setupBegan);
  const plan = await readPlan(cwd, command.plan, command.planId);
  const job = plan.jobs.find(({ id }) => id === command.job);
  if (!job) {
    const ids = plan.jobs.map(({ id }) => id);
    throw usageFailure(`the plan has no job ${printable(command.job)}`, {
      hint: didYouMean(command.job, ids) ?? `it has ${ids.join(", ")}`,
    });
  }
  await checkHead(world, plan);
  const { attempt = ciOf(env).run.attempt, machine } = command;
  const folder = resolve(cwd, command.attestations);
  const name = `${job.id}.${attempt}.${machine}`;
  // An earlier run of the same attempt may have left some files.
  for (const kind of ["logs", "coverage"])
    await rm(join(folder, `${name}.${kind}`), { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const keepCoverage = openFiles(folder, `${name}.coverage`, "json.gz");
  const attested = await runJob(world, {
    plan,
    job,
    attempt,
    machine,
    setupMs,
    concurrency: command.concurrency,
    output: command.output,
    attest: (attestation) => write(join(folder, `${name}.json`), attestation),
    keepLog: openFiles(folder, `${name}.logs`, "log"),
    keepCoverage: async (json) => keepCoverage(await compress(json)),
  });
  // Names and evidence come from the pull request. The runner must not treat them as commands.
  stdout.write(inertLog(renderAttestation(attested)));
  await appendOutputs(
    env,
    { settled: String(isSettled(plan, attested)) },
    world.unguessable(),
  );
  const failed = attested.units.filter(({ verdict }) => verdict === "failed");
  return exitCodeOf(failed.map(({ failure }) => failure));
}

/** Returns whether `retry` would not select this job for another machine. */
function isSettled(plan: Plan, attestation: Attestation): boolean {
  const found = [{ file: "here", attestation }];
  const mine = {
    ...plan,
    jobs: plan.jobs.filter(({ id }) => id === attestation.job),
  };
  return retriable(mine, judge(mine, found, [])).length === 0;
}

const compress = promisify(gzip);

/**
 * Opens a folder of files next to an attestation, which is created with the first file. Files are numbered, because names
 * of units aren't safe as file names.
 * @param ending the ending of their names
 */
function openFiles(
  folder: string,
  name: string,
  ending: string,
): (content: string | Buffer) => Promise<string | undefined> {
  let files = 0;
  return async (content) => {
    const file = `${name}/${++files}.${ending}`;
    try {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, file), content);
      return file;
    } catch {
      // The full disk may have failed the unit. The attestation contains its last lines nevertheless.
      return undefined;
    }
  };
}

/** Writes a file atomically, so that no reader sees an incomplete one. */
async function write(file: string, attestation: Attestation): Promise<void> {
  const text = `${JSON.stringify(attestation, null, 2)}\n`;
  await replaceFile(file, text, `${file}.new`);
}

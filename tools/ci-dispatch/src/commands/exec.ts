import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  ExitCode,
  inertLog,
  nearest,
  printable,
  usageFailure,
} from "@skein/reporting";
import type { Attestation } from "../attestation.js";
import type { ExecCommand } from "../command.js";
import { attemptOf } from "../exec/attempt.js";
import { checkHead } from "../exec/check-head.js";
import { runJob } from "../exec/run-job.js";
import { readPlan } from "../plan/read-plan.js";
import { renderAttestation } from "../render/render-attestation.js";
import type { DispatchWorld } from "../world.js";

/** `ci-dispatch exec --job ID`: runs one job of a plan and attests what it did. */
export async function exec(
  world: DispatchWorld,
  command: ExecCommand,
): Promise<number> {
  const { cwd, env, stdout } = world;
  const plan = await readPlan(cwd, command.plan, command.planId);
  const job = plan.jobs.find(({ id }) => id === command.job);
  if (!job) {
    const near = nearest(
      command.job,
      plan.jobs.map(({ id }) => id),
    );
    throw usageFailure(`the plan has no job ${printable(command.job)}`, {
      hint:
        near.length > 0
          ? `did you mean ${near.join(" or ")}?`
          : `it has ${plan.jobs.map(({ id }) => id).join(", ")}`,
    });
  }
  await checkHead(world, plan);
  const { attempt = attemptOf(env), machine } = command;
  const folder = resolve(cwd, command.attestations);
  await mkdir(folder, { recursive: true });
  const attested = await runJob(world, {
    plan,
    job,
    attempt,
    machine,
    concurrency: command.concurrency,
    output: command.output,
    attest: (attestation) =>
      write(join(folder, `${job.id}.${attempt}.${machine}.json`), attestation),
  });
  // Names and evidence come from the pull request: the runner must not take them for commands.
  stdout.write(inertLog(renderAttestation(attested)));
  return exitCodeOf(attested);
}

/** Whole or not at all: whoever reads it never sees half of one. */
async function write(file: string, attestation: Attestation): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(attestation, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

function exitCodeOf({ units }: Attestation): number {
  const failed = units.filter(({ verdict }) => verdict === "failed");
  if (failed.length === 0) return ExitCode.Ok;
  return failed.every(({ failure }) => failure?.class === "infrastructure")
    ? ExitCode.Unfinished
    : ExitCode.Bad;
}

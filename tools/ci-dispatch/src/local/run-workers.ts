import { withoutStepFiles } from "@skein/ci";
import { count, formatDuration } from "@skein/reporting";
import { installedProgram } from "../installed-program.js";
import type { Plan, PlannedJob } from "../plan.js";
import type { DispatchWorld } from "../world.js";
import { openProgress } from "./progress.js";

export interface WorkersOptions {
  readonly plan: Plan;
  /** The plan's file, absolute. */
  readonly file: string;
  /** The folder of the attestations, absolute. */
  readonly attestations: string;
  /** The maximum number of jobs at a time. */
  readonly workers: number;
}

/** A worker ends its scripts before itself. If it takes longer than this, it is killed. */
const GRACE_MS = 10_000;

/**
 * Runs each job in a separate process, the longest first. The exit of a process doesn't matter: the verdict reads its
 * attestation, and the attestation of a killed worker is incomplete.
 */
export async function runWorkers(
  world: DispatchWorld,
  { plan, file, attestations, workers }: WorkersOptions,
): Promise<void> {
  const [{ execa }, { default: pLimit }] = await Promise.all([
    import("execa"),
    import("p-limit"),
  ]);
  const { node, cwd, env, signal, now, stderr } = world;
  const program = installedProgram("ci-dispatch");
  const limit = pLimit(workers);
  const progress = openProgress(world, plan.jobs.length);
  const runOne = async (job: PlannedJob) => {
    if (signal.aborted) return;
    progress.started(job);
    const start = now();
    const { exitCode, all } = await execa(
      node.execPath,
      [
        program,
        "exec",
        "--plan",
        file,
        "--job",
        job.id,
        "--attestations",
        attestations,
        // The folder is new, so this is always the first attempt, even if the machine's environment contains another number.
        "--attempt",
        "1",
      ],
      {
        cwd,
        env: withoutStepFiles(env),
        extendEnv: false,
        stdin: "ignore",
        all: true,
        reject: false,
        cancelSignal: signal,
        // Execa would end this process on the signal that we handle.
        cleanup: false,
        forceKillAfterDelay: GRACE_MS,
      },
    );
    progress.ended(
      job,
      `${exitCode === 0 ? "green" : "red"} in ${formatDuration(now() - start)}`,
      exitCode === 0 ? "" : all,
    );
  };
  stderr.write(
    `${count(plan.jobs.length, "job")}, ${Math.min(workers, plan.jobs.length)} at a time\n`,
  );
  const longestFirst = plan.jobs.toSorted(
    (a, b) => b.expectedMs - a.expectedMs,
  );
  try {
    await Promise.all(longestFirst.map((job) => limit(() => runOne(job))));
  } finally {
    progress.close();
  }
}

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { withoutStepFiles } from "@skein/ci";
import { count, formatDuration } from "@skein/reporting";
import type { Plan, PlannedJob } from "../plan.js";
import type { DispatchWorld } from "../world.js";
import { openProgress } from "./progress.js";

export interface WorkersOptions {
  readonly plan: Plan;
  /** The plan's file, absolute. */
  readonly file: string;
  /** Absolute. */
  readonly attestations: string;
  /** Jobs at a time. */
  readonly workers: number;
}

/** A worker ends its scripts before itself; what takes longer is ended from outside. */
const GRACE_MS = 10_000;

/**
 * Runs every job in a process of its own, the longest first. How one ended is not asked here: the verdict reads what
 * it attests, and a worker that is killed attests too little.
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
  const program = ownProgram();
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
        // A fresh folder, so always the first attempt, whatever the machine's environment says.
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
        // Execa would end this process by the signal that we handle.
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

/** This tool, as it is installed: how deep this file lies in it depends on whether it was bundled. */
function ownProgram(): string {
  const manifest = createRequire(import.meta.url).resolve(
    "@skein/ci-dispatch/package.json",
  );
  return join(dirname(manifest), "bin/ci-dispatch.js");
}

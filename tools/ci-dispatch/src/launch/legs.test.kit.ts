import type { FakeGitHub, FakeRepository, FakeRun } from "@skein/testing";
import { startFakeGitHub } from "@skein/testing";
import type { Plan } from "../plan.js";
import { newState } from "./reconcile.js";
import {
  attest,
  failed,
  passed,
  planOf,
  unit,
} from "../verdict/judge.test.kit.js";

/** The way in which a run of a job ends. */
export type Leg =
  | "passes"
  | "fails"
  | "machine fails"
  /** The run ends without an attestation. */
  | "dies"
  | "never starts"
  | "vanishes"
  | "is cancelled";

/** Creates a plan of jobs, each with a package of the same name. */
export const planFor = (jobs: Readonly<Record<string, unknown>>): Plan =>
  planOf(
    Object.fromEntries(
      Object.keys(jobs).map((job) => [job, [unit(`${job}#test`)]]),
    ),
  );

/** Creates the state of a launch that has not started. */
export const stateFor = (plan: Plan, since: string | null = null) =>
  newState(plan, {
    repository: "octo/app",
    workflow: "job.yml",
    ref: "main",
    inputs: {},
    retries: 1,
    since,
  });

export interface Legs extends AsyncDisposable {
  readonly github: FakeGitHub;
  readonly repository: FakeRepository;
  /** Returns how often each job has run, in new runs and in further attempts of a run. */
  started(): Readonly<Record<string, number>>;
}

/**
 * Starts a GitHub whose runs end by themselves, one look after they appear.
 * @param legs by job, how its first, second, … run ends; the last one also applies to all further runs
 */
export async function startLegs(
  dir: string,
  legs: Readonly<Record<string, readonly Leg[]>>,
): Promise<Legs> {
  /** Numbers of looks by run and attempt. */
  const looks = new Map<string, number>();
  const all = new Map<string, string[]>();
  const github = await startFakeGitHub({
    before(operation) {
      if (!operation.endsWith("/workflows/{workflow_id}/runs")) return;
      for (const run of [...repository.runs]) {
        const job = run.inputs["job"];
        if (job === undefined) continue;
        const turns = all.get(job) ?? [];
        all.set(job, turns);
        const turn = `${run.id}.${run.runAttempt}`;
        if (!turns.includes(turn)) turns.push(turn);
        const seen = (looks.get(turn) ?? 0) + 1;
        looks.set(turn, seen);
        if (seen < 3 + repository.dispatching.appearsAfter) continue;
        const plan = legs[job] ?? ["passes"];
        end(run, plan[turns.indexOf(turn)] ?? plan.at(-1) ?? "passes");
      }
    },
  });
  const repository = github.addRepository("octo/app", { dir });
  // The rate limit's hour is over, so the launcher doesn't wait.
  github.rateLimit.reset = 0;
  github.addRun(repository, {
    headSha: "0".repeat(40),
    path: ".github/workflows/job.yml",
    event: "workflow_dispatch",
  });
  function end(run: FakeRun, leg: Leg): void {
    if (run.status === "completed" || leg === "never starts") return;
    if (leg === "vanishes") {
      repository.runs.splice(repository.runs.indexOf(run), 1);
      return;
    }
    run.status = "completed";
    run.conclusion = conclusionOf(leg);
    if (leg === "dies" || leg === "is cancelled") return;
    const { job = "", machine, plan = "" } = run.inputs;
    const id = `${job}#test`;
    const reported =
      leg === "passes"
        ? passed(id)
        : failed(id, leg === "fails" ? "test" : "infrastructure");
    const { attestation } = attest(job, [reported], {
      plan,
      machine: Number(machine),
      attempt: run.runAttempt,
    });
    github.addArtifact(run, {
      name: `ci-dispatch-attestation-${job}`,
      files: { [`${job}.json`]: JSON.stringify(attestation) },
    });
  }
  return {
    github,
    repository,
    started: () =>
      Object.fromEntries(
        [...all]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([job, turns]) => [job, turns.length]),
      ),
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

function conclusionOf(leg: Leg): string {
  if (leg === "passes") return "success";
  return leg === "is cancelled" ? "cancelled" : "failure";
}

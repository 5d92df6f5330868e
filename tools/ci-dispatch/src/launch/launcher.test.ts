import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openGitHub, type GitHub } from "@skein/github";
import { buildHistory, suiteDir, type FaultKind } from "@skein/testing";
import type { LaunchState } from "../launch.js";
import { openCollection } from "./collect.js";
import { eventWords, type LaunchEvent } from "./event.js";
import { launch, type LauncherOptions } from "./launcher.js";
import { planFor, startLegs, stateFor } from "./legs.test.kit.js";
import type { Leg, Legs } from "./legs.test.kit.js";
import { nextPhase } from "./next-phase.js";

const repository = { owner: "octo", name: "app" };

const dir = await suiteDir(afterAll);
beforeAll(() => {
  buildHistory(dir, [{ files: { start: "" } }]);
});

type Spec = Readonly<Record<string, readonly Leg[]>>;

/** Creates the disk of a dispatcher: its plan, and the state that it saved last. */
function begin(spec: Spec) {
  const plan = planFor(spec);
  const state = stateFor(plan, "2026-01-01T00:00:00Z");
  return { plan, state };
}

/**
 * Runs a dispatcher from the state on the disk.
 * @param step called before and after each effect; if it throws, the dispatcher is dead and has no more effects
 */
async function dispatcher(
  legs: Legs,
  disk: ReturnType<typeof begin>,
  step: (when: "before" | "after") => void = () => undefined,
  more: Partial<LauncherOptions> = {},
) {
  const reported: string[] = [];
  const onEvent = (event: LaunchEvent) => reported.push(eventWords(event));
  const real = openGitHub({ baseUrl: legs.github.url, second: 1 });
  const around =
    <In extends unknown[], Out>(body: (...args: In) => Promise<Out>) =>
    async (...args: In) => {
      step("before");
      const result = await body(...args);
      step("after");
      return result;
    };
  const github: GitHub = {
    ...real,
    dispatchWorkflow: around((...args) => real.dispatchWorkflow(...args)),
    rerunFailedJobs: around((...args) => real.rerunFailedJobs(...args)),
    workflowRun: around((...args) => real.workflowRun(...args)),
    cancelRun: around((...args) => real.cancelRun(...args)),
    async *workflowRuns(...args) {
      step("before");
      yield* real.workflowRuns(...args);
      step("after");
    },
  };
  const launched = await launch(disk.state, {
    github,
    repository,
    concurrency: 2,
    pause: () => 0,
    patience: 6,
    signal: new AbortController().signal,
    sleep: () => Promise.resolve(),
    save: around((state: LaunchState) => {
      disk.state = state;
      return Promise.resolve();
    }),
    collect: async (jobs) =>
      around(
        await openCollection(jobs, {
          github,
          repository,
          plan: disk.plan.id,
          folder: dir,
          onEvent,
        }),
      ),
    nextPhase: (job, found) =>
      nextPhase(disk.plan, job, found, disk.state.retries),
    mustStop: () => Promise.resolve(undefined),
    watch: true,
    onEvent,
    ...more,
  });
  return { ...launched, reported };
}

const endsOf = ({ jobs }: LaunchState) =>
  Object.fromEntries(jobs.map(({ job, conclusion }) => [job, conclusion]));

test.each<[string, readonly Leg[], string, number]>([
  ["passes", ["passes"], "success", 1],
  ["fails, and isn't retried", ["fails", "passes"], "failure", 1],
  ["its machine fails", ["machine fails", "passes"], "success", 2],
  ["is killed without an attestation", ["dies", "passes"], "success", 2],
  ["its machines fail", ["machine fails"], "failure", 2],
  ["its machine fails, then a test", ["dies", "fails", "passes"], "failure", 2],
  ["cancelled by a person", ["is cancelled", "passes"], "cancelled", 1],
  ["its run vanishes", ["vanishes", "passes"], "success", 2],
  ["its runs vanish", ["vanishes"], "lost", 3],
])("a job: %s", async (_, spec, end, runs) => {
  await using legs = await startLegs(dir, {
    job: spec,
    other: ["passes"],
  });
  const { state } = await dispatcher(legs, begin({ job: spec, other: [] }));
  expect(endsOf(state)).toEqual({ job: end, other: "success" });
  expect(legs.started()).toEqual({ job: runs, other: 1 });
});

const SPEC: Spec = {
  bad: ["fails"],
  lost: ["machine fails", "passes"],
};

test.each([
  ["returns run ids", true, 0],
  ["returns no run ids, and whose lists lag behind", false, 2],
])(
  "killed after each of its effects and resumed, with a server that %s: no job is lost, and none runs twice",
  async (_, runDetails, appearsAfter) => {
    class Killed extends Error {}
    /**
     * Kills a dispatcher after this many effects, and lets another one continue. The first one's plans die with it, so
     * it makes no difference whether it had started on the next effect.
     * @returns the number of effects of the first dispatcher
     */
    const killedAt = async (at: number) => {
      await using legs = await startLegs(dir, SPEC);
      Object.assign(legs.repository.dispatching, { runDetails, appearsAfter });
      const disk = begin(SPEC);
      let done = 0;
      const first = dispatcher(legs, disk, (when) => {
        if (when === "after") done++;
        // Effects in progress die too.
        if (done > at) throw new Killed();
      });
      await first.catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        return dispatcher(legs, disk);
      });
      expect({ at, ends: endsOf(disk.state), runs: legs.started() }).toEqual({
        at,
        ends: { bad: "failure", lost: "success" },
        runs: { bad: 1, lost: 2 },
      });
      return done;
    };
    const all = await killedAt(Infinity);
    expect(all).toBeGreaterThan(20);
    // They wait for their servers most of the time, so they run concurrently.
    await Promise.all(Array.from({ length: all }, (_, at) => killedAt(at)));
  },
  120_000,
);

const RERUN =
  "POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs";

test.each<[string, FaultKind | undefined, readonly number[]]>([
  ["re-runs it", undefined, [2]],
  ["re-runs it, and whose answer is lost", { kind: "cut-body" }, [2]],
  ["has a secondary limit", { kind: "secondary-limit", retryAfter: 1 }, [2]],
  ["rejects the request", { kind: "status", status: 422 }, [1, 1]],
  ["refuses", { kind: "missing-permission" }, [1, 1]],
  ["doesn't answer, and doesn't re-run it", { kind: "reset" }, [1, 1]],
])(
  "a run whose machine failed is re-run, with a GitHub that %s",
  async (_, fault, attempts) => {
    const spec: Spec = { job: ["machine fails", "passes"] };
    await using legs = await startLegs(dir, spec);
    if (fault) legs.github.fail({ operation: RERUN, fault });
    const disk = begin(spec);
    const { state } = await dispatcher(legs, disk);
    expect(endsOf(state)).toEqual({ job: "success" });
    const { runs } = legs.repository;
    expect(runs.slice(1).map(({ runAttempt }) => runAttempt)).toEqual(attempts);
    expect(state.jobs).toMatchObject([{ machine: 2, lost: [] }]);
  },
);

test("a run that was re-run by hand isn't run a third time", async () => {
  const spec: Spec = { job: ["machine fails", "passes"] };
  await using legs = await startLegs(dir, spec);
  const { github, repository: app } = legs;
  const { state } = await dispatcher(legs, begin(spec), undefined, {
    nextPhase: (job, found) => {
      const plan = planFor(spec);
      const next = nextPhase(plan, job, found, 1);
      const run = app.runs.at(-1);
      if (next.phase === "planned" && run) {
        run.earlier.push({ ...run });
        Object.assign(run, { runAttempt: 2, status: "queued" });
        run.conclusion = null;
      }
      return next;
    },
  });
  expect(endsOf(state)).toEqual({ job: "success" });
  expect(github.count(RERUN)).toBe(1);
  expect(legs.started()).toEqual({ job: 2 });
  expect(app.runs).toHaveLength(2);
});

test("no more runs are requested at once than --concurrency allows", async () => {
  const spec: Spec = Object.fromEntries(
    ["a", "b", "c", "d", "e"].map((job) => [job, ["passes"]]),
  );
  await using legs = await startLegs(dir, spec);
  const real = openGitHub({ baseUrl: legs.github.url, second: 1 });
  let under = 0;
  let most = 0;
  const github: GitHub = {
    ...real,
    dispatchWorkflow: async (...args) => {
      most = Math.max(most, ++under);
      return real.dispatchWorkflow(...args).finally(() => under--);
    },
  };
  await dispatcher(legs, begin(spec), undefined, { github, concurrency: 3 });
  expect(most).toBe(3);
});

test("an abandoned run that appears late is cancelled", async () => {
  const spec: Spec = { job: ["never starts"] };
  await using legs = await startLegs(dir, spec);
  const { repository: app } = legs;
  const disk = begin(spec);
  Object.assign(app.dispatching, { runDetails: false, appearsAfter: 9 });
  let looks = 0;
  const { state, reported } = await dispatcher(legs, disk, undefined, {
    sleep: () => {
      if (++looks === 4) app.dispatching.appearsAfter = 0;
      return Promise.resolve();
    },
    mustStop: () => Promise.resolve(looks > 30 ? "long enough" : undefined),
  });
  expect(reported).toContain(
    "cancelled an abandoned run that appeared late: job of this",
  );
  const late = app.runs.find(({ title }) => title === "job of this");
  expect(late?.conclusion).toBe("cancelled");
  expect(app.runs.filter(({ status }) => status !== "completed")).toEqual([]);
  expect(state.jobs).toMatchObject([{ phase: "ended" }]);
  expect(app.runs).toHaveLength(3);
});

test("the launcher waits while GitHub is unavailable, but not after a refusal", async () => {
  await using legs = await startLegs(dir, { job: ["passes"] });
  const operation =
    "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs";
  legs.github.fail({
    operation,
    times: 12,
    fault: { kind: "status", status: 503 },
  });
  const disk = begin({ job: [] });
  const { state, reported } = await dispatcher(legs, disk);
  expect(endsOf(state)).toEqual({ job: "success" });
  expect(
    reported.filter((line) => line.includes("; looking again")),
  ).toHaveLength(3);
  legs.github.fail({ operation, fault: { kind: "missing-permission" } });
  await expect(dispatcher(legs, begin({ job: [] }))).rejects.toMatchObject({
    kind: "forbidden",
  });
});

test("the launcher waits if the hour's requests are used up, for any number of looks", async () => {
  await using legs = await startLegs(dir, { job: ["passes"] });
  legs.github.fail({
    operation: "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
    times: 15,
    fault: { kind: "rate-limit", resetIn: 3000 },
  });
  const { state, reported } = await dispatcher(legs, begin({ job: [] }));
  expect(endsOf(state)).toEqual({ job: "success" });
  expect(reported.filter((line) => line.includes("rate-limit"))).toHaveLength(
    15,
  );
});

test("Ctrl-C in such an hour: it tries to cancel a few times, and ends", async () => {
  await using legs = await startLegs(dir, { job: ["never starts"] });
  const disk = begin({ job: [] });
  await dispatcher(legs, disk, undefined, { watch: false });
  const operation =
    "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs";
  const fault = { kind: "rate-limit", resetIn: 3000 } as const;
  legs.github.fail({ operation, times: 50, fault });
  const ended = dispatcher(legs, disk, undefined, {
    signal: AbortSignal.abort(),
    mustStop: () => Promise.resolve("interrupted"),
  });
  await expect(ended).rejects.toMatchObject({ kind: "rate-limit" });
  expect(legs.github.count(operation)).toBe(10);
});

test("artifacts of a run for another job, or without attestations, don't count", async () => {
  await using legs = await startLegs(dir, { job: ["dies"] });
  const run = legs.github.addRun(legs.repository, { headSha: "0".repeat(40) });
  const own = {
    version: 1,
    plan: "this",
    job: "job",
    attempt: 1,
    machine: 1,
    finished: true,
    units: [],
  };
  const add = (name: string, text: string) =>
    legs.github.addArtifact(run, {
      name,
      files: { "a.json": text, "../b.txt": "" },
    });
  add("ci-dispatch-attestation-1", JSON.stringify(own));
  add("ci-dispatch-attestation-2", JSON.stringify({ ...own, job: "other" }));
  add("ci-dispatch-attestation-3", JSON.stringify({ ...own, machine: 2 }));
  add("ci-dispatch-attestation-4", "{");
  add("coverage", JSON.stringify(own));
  run.artifacts.push({
    ...add("ci-dispatch-attestation-5", ""),
    id: 99,
    archive: new Uint8Array([1]),
  });
  const reported: string[] = [];
  const [job] = begin({ job: [] }).state.jobs;
  if (!job) throw new Error("no job");
  const over = { ...job, run: run.id };
  const collect = await openCollection([over], {
    github: openGitHub({ baseUrl: legs.github.url, second: 1 }),
    repository,
    plan: "this",
    folder: dir,
    onEvent: (event) =>
      reported.push(eventWords(event).replace(String(run.id), "N")),
  });
  const found = await collect(over);
  expect(found.map(({ attestation }) => attestation)).toEqual([own]);
  expect(reported.sort()).toEqual([
    "not counted: ci-dispatch-attestation-2 of run N: it is for machine 1 of other and plan this",
    "not counted: ci-dispatch-attestation-3 of run N: it is for machine 2 of job and plan this",
    expect.stringMatching(
      /^not counted: ci-dispatch-attestation-4 of run N: it isn't an attestation of version 1/,
    ),
    expect.stringMatching(
      /^not counted: ci-dispatch-attestation-5 of run N: it isn't a zip archive/,
    ),
    expect.stringMatching(
      /^not counted: ci-dispatch-attestation-5 of run N: it isn't an attestation of version 1/,
    ),
  ]);
});

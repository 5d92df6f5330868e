import { resolve } from "node:path";
import { Failure, printable, systemWords } from "@skein/reporting";
import { Malformed, members, type Members } from "@skein/reporting/json";
import { POOL_NAME } from "@skein/workspaces";
import { readPlainFile } from "../../plain-file.js";
import { checkPlanId } from "./plan-id.js";
import { readWorkload } from "./read-workload.js";
import { JOB_KINDS } from "../../plan.js";
import type {
  Attested,
  NotReused,
  BoundBy,
  Estimate,
  Plan,
  PlannedJob,
  PlannedSkip,
  PlannedTraces,
  PlannedUnit,
  Reused,
} from "../../plan.js";
import { RUNNER_NAMES } from "../../runners/test-runner.js";

/**
 * Reads a plan file.
 * @param file relative to `cwd`, or absolute
 * @param id the id that the planning job passed on separately from the file; undefined without one
 * @throws {Failure} if the file doesn't exist, isn't a plan of version 1, or has another id
 */
export async function readPlan(
  cwd: string,
  file: string,
  id?: string,
): Promise<Plan> {
  const plan = await readAny(cwd, file);
  if (id !== undefined && plan.id !== id)
    throw new Failure(
      `this is plan ${printable(plan.id)}, but the planning job made plan ${printable(id)}`,
      {
        place: { file },
        hint: "the file was replaced after that; plan again, and run the jobs of the new plan",
      },
    );
  return plan;
}

async function readAny(cwd: string, file: string): Promise<Plan> {
  try {
    return parsePlan(await readPlainFile(resolve(cwd, file)));
  } catch (error) {
    const isMalformed = error instanceof Malformed;
    if (!isMalformed && (error as NodeJS.ErrnoException).code === undefined)
      throw error;
    const what = isMalformed
      ? "this isn't a plan of version 1"
      : "the plan cannot be read";
    throw new Failure(`${what}: ${systemWords(error)}`, {
      place: { file },
      hint: "create it with `ci-dispatch plan --output FILE`",
      cause: error,
    });
  }
}

/** Parses a plan. It may come from an artifact, so every member is checked. @throws {Malformed} */
export function parsePlan(text: string): Plan {
  const json = parseJson(text);
  const plan = members(json, "plan");
  if (plan.number("version") !== 1)
    throw new Malformed("plan.version is not 1");
  checkPlanId(json as Readonly<Record<string, unknown>>);
  const parsed: Plan = {
    version: 1,
    id: plan.text("id"),
    inputs: plan.text("inputs"),
    base: plan.textOrNull("base"),
    head: plan.textOrNull("head"),
    jobs: plan.list("jobs", (job) => ({
      id: jobId(job),
      kind: job.oneOf("kind", JOB_KINDS),
      pool: poolOf(job),
      expectedMs: job.number("expectedMs"),
      units: job.list("units", readUnit),
    })),
    ...(plan.unknown("reused") !== undefined && {
      reused: plan.list("reused", readReused),
    }),
    ...readTree(plan),
    runtime: plan.optionalText("runtime"),
    skipped: plan.list("skipped", readSkip),
    retries: plan.number("retries"),
    prediction: readPrediction(plan.object("prediction")),
    everything: plan.optional("everything", readWorkload),
    alters: plan.optionalTexts("alters"),
    traces: plan.optional("traces", readPlannedTraces),
    notes: plan.texts("notes"),
  };
  checkUnique(parsed);
  checkShards(parsed);
  return parsed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Malformed((error as SyntaxError).message);
  }
}

/** Reads an id. It becomes part of file names, so it must have no meaning in a path or a shell. */
function jobId(job: Members): string {
  const id = job.text("id");
  if (!/^[a-z0-9][a-z0-9-]{0,79}$/.test(id))
    throw new Malformed(
      "the id of a job contains characters other than a-z, 0-9 and -",
    );
  return id;
}

/** Reads a pool's name, which goes into the matrix of a workflow. */
function poolOf(job: Members): PlannedJob["pool"] {
  const pool = job.optionalText("pool");
  if (pool === undefined || POOL_NAME.test(pool)) return pool;
  throw new Malformed(
    "the pool of a job contains characters other than a-z, 0-9 and -",
  );
}

const BY = ["trace"] as const;

/** Reads the run in which a unit passed before. @throws {Malformed} */
function readAttested(of: Members): Attested {
  return {
    ...{ commit: of.text("commit"), run: of.text("run"), at: of.text("at") },
    ...(of.unknown("by") !== undefined && { by: of.oneOf("by", BY) }),
  };
}

/** Reads a script that doesn't run. @throws {Malformed} */
export function readSkip(skip: Members): PlannedSkip {
  return {
    workspace: skip.text("workspace"),
    script: skip.text("script"),
    why: skip.oneOf("why", ["no-script", "root"]),
  };
}

function readPlannedTraces(of: Members): PlannedTraces {
  return {
    script: of.text("script"),
    packages: of.texts("packages"),
    budgetSeconds: of.number("budgetSeconds"),
    environment: of.text("environment"),
    runtime: of.text("runtime"),
  };
}

/** Reads the tree of a plan or a verdict, and its earlier pushes. @throws {Malformed} */
export function readTree(
  of: Members,
): Pick<Plan, "sameTree" | "earlier" | "tree"> {
  return {
    sameTree: of.optional("sameTree", readAttested),
    ...(of.unknown("earlier") !== undefined && {
      earlier: of.list("earlier", (push) => ({
        ...readAttested(push),
        units: push.whole("units"),
        reused: push.whole("reused"),
        reusedMs: push.whole("reusedMs"),
      })),
    }),
    tree: of.optionalText("tree"),
  };
}

/** Reads a reused unit. @throws {Malformed} */
export function readReused(of: Members): Reused {
  const attested = readAttested(of);
  return {
    whole: of.text("whole"),
    ...(attested.by === undefined && { fingerprint: of.text("fingerprint") }),
    ...attested,
    ...(of.unknown("expectedMs") !== undefined && {
      expectedMs: of.whole("expectedMs"),
    }),
  };
}

/** Reads the fingerprint of a unit in a plan or a verdict. @throws {Malformed} */
export function readReuse(
  unit: Members,
): Pick<PlannedUnit, "fingerprint" | "fields" | "recheck" | "notReused"> {
  return {
    fingerprint: unit.optionalText("fingerprint"),
    ...(unit.unknown("fields") !== undefined && {
      fields: unit.words("fields"),
    }),
    recheck: unit.optional("recheck", readAttested),
    notReused: unit.optional("notReused", readNotReused),
  };
}

function readNotReused(of: Members): NotReused {
  const kind = of.oneOf("kind", ["changed", "varies", "failed"]);
  switch (kind) {
    case "changed":
      return {
        ...{ kind, field: of.text("field") },
        since: readAttested(of.object("since")),
      };
    case "varies":
      return { kind, variables: of.texts("variables") };
    case "failed":
      return { kind, run: of.text("run") };
  }
}

function readUnit(unit: Members): PlannedUnit {
  return {
    id: unit.text("id"),
    whole: unit.text("whole"),
    workspace: unit.text("workspace"),
    dir: unit.text("dir"),
    script: unit.text("script"),
    step: unit.textOrNull("step"),
    shard: unit.objectOrNull("shard", (shard) => ({
      index: shard.number("index"),
      count: shard.number("count"),
      files: shard.texts("files"),
    })),
    runner: unit.oneOf("runner", [...RUNNER_NAMES, "other"]),
    expectedMs: unit.number("expectedMs"),
    timeoutMs: unit.number("timeoutMs"),
    estimate: readEstimate(unit.object("estimate")),
    ...readReuse(unit),
    why: unit.text("why"),
  };
}

function readEstimate(estimate: Members): Estimate {
  const kind = estimate.oneOf("kind", ["history", "test-files", "default"]);
  switch (kind) {
    case "history":
      return {
        kind,
        runs: estimate.number("runs"),
        p90Ms: estimate.number("p90Ms"),
        flakes: estimate.number("flakes"),
      };
    case "test-files":
      return {
        kind,
        files: estimate.number("files"),
        perFileMs: estimate.number("perFileMs"),
      };
    case "default":
      return { kind, ms: estimate.number("ms") };
  }
}

function readPrediction(of: Members): Plan["prediction"] {
  return {
    wallMs: of.number("wallMs"),
    setupMs: of.number("setupMs"),
    totalMs: of.number("totalMs"),
    makespanMs: of.number("makespanMs"),
    lowerBoundMs: of.number("lowerBoundMs"),
    ratio: of.number("ratio"),
    billedMinutes: of.number("billedMinutes"),
    boundBy: readBound(of.object("boundBy")),
  };
}

function readBound(of: Members): BoundBy {
  const kind = of.oneOf("kind", [
    "nothing",
    "application",
    "largest-unit",
    "machines",
  ]);
  switch (kind) {
    case "nothing":
      return { kind };
    case "machines":
      return { kind, jobs: of.number("jobs") };
    case "application":
    case "largest-unit":
      return { kind, unit: of.text("unit") };
  }
}

function checkUnique({ jobs }: Plan): void {
  const seen = new Set<string>();
  for (const name of jobs.flatMap(({ id, units }) => [
    `job ${id}`,
    ...units.map((unit) => `unit ${unit.id}`),
  ])) {
    if (seen.has(name)) throw new Malformed(`the ${name} appears twice`);
    seen.add(name);
  }
}

/** Checks that a split unit has all its shards. The test files of a missing shard would not run. */
function checkShards({ jobs }: Plan): void {
  const indices = new Map<string, Set<number>>();
  for (const { id, whole, shard } of jobs.flatMap(({ units }) => units)) {
    const count = shard?.count ?? 1;
    const index = shard?.index ?? 1;
    if (!Number.isInteger(index) || index < 1 || index > count)
      throw new Malformed(`the unit ${id} isn't a shard of its unit`);
    const seen = indices.get(`${whole} ${count}`);
    if (seen) seen.add(index);
    else indices.set(`${whole} ${count}`, new Set([index]));
  }
  for (const [unit, seen] of indices) {
    const [whole = "", count = ""] = unit.split(/ (?=\d+$)/);
    if (seen.size !== Number(count))
      throw new Malformed(
        `the unit ${whole} lacks some of its ${count} shards`,
      );
  }
}

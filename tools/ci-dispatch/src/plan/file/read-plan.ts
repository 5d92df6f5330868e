import { resolve } from "node:path";
import { Failure, printable, systemWords } from "@skein/reporting";
import {
  Malformed,
  object,
  parse,
  version,
  type JsonObject,
} from "@skein/reporting/json";
import { readPlainFile } from "../../plain-file.js";
import { PLAN, type Plan } from "../../plan.js";
import { checkPlanId } from "./plan-id.js";

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

const planOfVersion = object({ version: version(1) });

/** Parses a plan. It may come from an artifact, so every member is checked. @throws {Malformed} */
export function parsePlan(text: string): Plan {
  const plan = parse(
    text,
    (value, place) => {
      planOfVersion(value, place);
      checkPlanId(value as JsonObject);
      return PLAN(value, place);
    },
    "plan",
  );
  checkUnique(plan);
  checkShards(plan);
  return plan;
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

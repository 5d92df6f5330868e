import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  count,
  ExitCode,
  Failure,
  inertLog,
  readRegularText,
  writeText,
} from "@skein/reporting";
import type { TraceCommand } from "../command.js";
import { checkHead } from "../exec/check-head.js";
import { parseNewTraces } from "../history/traces.js";
import { askTraces } from "../plan/facts/ask-affected.js";
import { runtimeOf } from "../plan/facts/read-fingerprints.js";
import { readPlan } from "../plan/file/read-plan.js";
import type { DispatchWorld } from "../world.js";

/** After this many times the budget, the scripts that still run are ended. */
const PATIENCE = 2;

/**
 * Runs `ci-dispatch trace`: the units that the plan chose, under trace. It writes their evidence.
 * @throws {Failure} if the plan is for another kind of machine
 */
export async function trace(
  world: DispatchWorld,
  command: TraceCommand,
): Promise<number> {
  const { cwd, stdout } = world;
  const plan = await readPlan(cwd, command.plan, command.planId);
  const { traces, head } = plan;
  if (!traces || head === null) {
    stdout.write("the plan records no traces\n");
    return ExitCode.Ok;
  }
  await checkHead(world, plan);
  const here = runtimeOf(world);
  if (here !== traces.runtime)
    throw new Failure(
      `the plan is for a machine with ${traces.runtime}, but this one has ${here}`,
      {
        hint: "run both jobs on the same runner with the same version of Node",
      },
    );
  const { script, environment, budgetSeconds } = traces;
  const folder = await mkdtemp(join(tmpdir(), "ci-dispatch-"));
  try {
    const file = join(folder, "evidence.json");
    const timeoutMs = budgetSeconds * PATIENCE * 1000;
    stdout.write(inertLog(await askTraces(world, traces, { file, timeoutMs })));
    const written = JSON.parse(await readRegularText(file)) as object;
    const made = parseNewTraces(
      JSON.stringify({ ...written, commit: head, environment, script }),
    );
    await writeText(cwd, command.output, `${JSON.stringify(made)}\n`);
    const complete = made.units.filter((unit) => unit.complete).length;
    stdout.write(
      `${complete} of ${count(made.units.length, "unit")} have evidence now\n`,
    );
    return ExitCode.Ok;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { resolve } from "node:path";
import { readRegularText, usageFailure, writeText } from "@skein/reporting";
import { isRecord } from "@skein/reporting/is-record";
import type { PipelineOptions } from "../command.js";
import type { Plan } from "../plan.js";
import { assertPools } from "../plan/jobs/pools.js";
import { buildkitePipeline } from "./buildkite.js";
import { gitlabPipeline } from "./gitlab.js";
import type {
  Json,
  Members,
  PipelineEngine,
  PipelineInput,
} from "./pipeline.js";

const WRITERS: Readonly<
  Record<PipelineEngine, (input: PipelineInput) => Json>
> = {
  gitlab: gitlabPipeline,
  buildkite: buildkitePipeline,
};

/**
 * Writes the pipeline that runs a plan.
 * @param file the plan's file, as the command line names it
 * @throws {Failure} (usage) if the settings file doesn't contain a JSON object
 */
export async function writePipeline(
  cwd: string,
  plan: Plan,
  { engine, out, before, tool, jobSettings }: PipelineOptions,
  file: string,
): Promise<void> {
  const { pools = {}, ...settings } =
    jobSettings === undefined ? {} : await readSettings(cwd, jobSettings);
  const byPool = poolsIn(pools, jobSettings ?? "");
  assertPools(
    plan,
    new Set(Object.keys(byPool)),
    "the member `pools` of the file that --job-settings names",
  );
  const input = { plan, file, before, tool, settings, pools: byPool };
  const made = WRITERS[engine](input);
  await writeText(cwd, out, `${JSON.stringify(made, null, 2)}\n`);
}

function poolsIn(value: Json, file: string): Readonly<Record<string, Members>> {
  if (isObject(value) && Object.values(value).every(isObject))
    return value as Readonly<Record<string, Members>>;
  throw usageFailure("the settings of pools aren't objects", {
    place: { file },
    hint: 'for example: {"pools": {"gpu": {"tags": ["gpu"]}}}',
  });
}

function isObject(value: Json): value is Members {
  return isRecord(value);
}

async function readSettings(cwd: string, file: string): Promise<Members> {
  try {
    const value = JSON.parse(await readRegularText(resolve(cwd, file))) as Json;
    if (isObject(value)) return value;
  } catch (error) {
    throw usageFailure(
      `the settings of jobs can't be read: ${(error as Error).message}`,
      {
        place: { file },
        cause: error,
      },
    );
  }
  throw usageFailure("the settings of jobs aren't an object", {
    place: { file },
    hint: 'for example: {"image": "node:24"}',
  });
}

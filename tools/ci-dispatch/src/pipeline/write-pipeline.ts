import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { readRegularText, usageFailure } from "@skein/reporting";
import type { PipelineOptions } from "../command.js";
import type { Plan } from "../plan.js";
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
 * Writes the pipeline that carries a plan out.
 * @param file the plan's file, as the command line names it
 * @throws {Failure} (usage) where the file of settings holds no object of JSON
 */
export async function writePipeline(
  cwd: string,
  plan: Plan,
  { engine, out, before, tool, jobSettings }: PipelineOptions,
  file: string,
): Promise<void> {
  const settings =
    jobSettings === undefined ? {} : await readSettings(cwd, jobSettings);
  const made = WRITERS[engine]({ plan, file, before, tool, settings });
  const path = resolve(cwd, out);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(made, null, 2)}\n`);
}

async function readSettings(cwd: string, file: string): Promise<Members> {
  try {
    const value = JSON.parse(await readRegularText(resolve(cwd, file))) as Json;
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Members;
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

import { shellWord } from "@skein/git";
import {
  execLine,
  FOLDER,
  folderOf,
  legsOf,
  settingsOf,
  VERDICT_FILES,
  verdictLine,
} from "./pipeline.js";
import type { Json, PipelineInput } from "./pipeline.js";

/**
 * Returns the steps that `buildkite-agent pipeline upload` adds to a build: one for each job of the plan, and one for
 * the verdict. A red job doesn't fail the build, because the verdict does.
 * @see https://buildkite.com/docs/agent/v3/cli-pipeline
 */
export function buildkitePipeline(input: PipelineInput): Json {
  const legs = legsOf(input.plan);
  const fetchPlan = `buildkite-agent artifact download ${shellWord(input.file)} . --step plan`;
  return {
    steps: [
      ...legs.map(({ id, pool, minutes }) => ({
        ...settingsOf(input, pool),
        label: id,
        key: keyOf(id),
        commands: [fetchPlan, input.before, execLine(input, id)],
        artifact_paths: [`${folderOf(id)}/**/*`],
        timeout_in_minutes: minutes,
        soft_fail: true,
      })),
      {
        ...input.settings,
        label: "verdict",
        key: "verdict",
        depends_on: legs.map(({ id }) => ({
          step: keyOf(id),
          allow_failure: true,
        })),
        commands: [
          fetchPlan,
          // Agents reuse their checkout, so this removes attestations of earlier builds.
          `rm -rf ${FOLDER} && mkdir ${FOLDER}`,
          // Each folder is downloaded only from the step that it belongs to. If it doesn't exist, its job is missing.
          ...legs.map(
            ({ id }) =>
              `buildkite-agent artifact download '${folderOf(id)}/**/*' . --step ${keyOf(id)} || true`,
          ),
          verdictLine(input),
        ],
        artifact_paths: VERDICT_FILES,
      },
    ],
  };
}

function keyOf(id: string): string {
  return `leg-${id}`;
}

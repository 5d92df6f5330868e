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
 * Returns the steps that `buildkite-agent pipeline upload` adds to a build: one for each job of the plan, and one that
 * judges. A red leg does not fail the build, since the verdict does.
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
          // An agent keeps its checkout: what an earlier build left there attests nothing.
          `rm -rf ${FOLDER} && mkdir ${FOLDER}`,
          // Each folder from the step that it belongs to, and from no other. One that is not there is missing.
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

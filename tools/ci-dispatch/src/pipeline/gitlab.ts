import { isRecord } from "@skein/reporting/is-record";
import {
  execLine,
  FOLDER,
  folderOf,
  legsOf,
  settingsOf,
  VERDICT_FILES,
  verdictLine,
} from "./pipeline.js";
import type { Json, Leg, Members, PipelineInput } from "./pipeline.js";

/** The maximum number of jobs in a matrix of GitLab: https://docs.gitlab.com/ci/yaml/#parallelmatrix */
const MATRIX_MOST = 200;

/** The plan is an artifact of the job `plan` in the parent pipeline, which passes its id to this one. */
const PLAN = { pipeline: "$PARENT_PIPELINE_ID", job: "plan" };

/**
 * Returns a child pipeline of GitLab CI: jobs with `parallel:matrix` for the plan's jobs, and one for the verdict. A
 * red job doesn't fail the pipeline, because the verdict does. The pipeline is JSON, which is also YAML.
 * @see https://docs.gitlab.com/ci/pipelines/downstream_pipelines/#dynamic-child-pipelines
 */
export function gitlabPipeline(input: PipelineInput): Json {
  const groups = groupsOf(legsOf(input.plan));
  const legs = groups.map((legs, index) => ({
    name: groups.length === 1 ? "leg" : `leg-${index + 1}`,
    legs,
  }));
  return {
    stages: ["test", "verdict"],
    ...Object.fromEntries(
      legs.map(({ name, legs }) => [name, legJob(input, legs)]),
    ),
    verdict: {
      ...input.settings,
      stage: "verdict",
      when: "always",
      needs: [
        PLAN,
        ...legs.map(({ name }) => ({ job: name, artifacts: true })),
      ],
      // This job has no files of the change, except the attestations of its jobs.
      variables: { ...variablesOf(input), GIT_STRATEGY: "none" },
      before_script: [],
      script: [`mkdir -p ${FOLDER}`, verdictLine(input)],
      artifacts: {
        when: "always",
        paths: VERDICT_FILES,
        reports: { junit: "junit.xml" },
      },
    },
  };
}

function legJob(input: PipelineInput, legs: readonly Leg[]): Json {
  // A job can't publish the folder of another job.
  const folder = `${folderOf("$JOB")}/`;
  return {
    ...settingsOf(input, legs[0]?.pool),
    stage: "test",
    needs: [PLAN],
    parallel: { matrix: [{ JOB: legs.map(({ id }) => id) }] },
    timeout: `${Math.max(...legs.map(({ minutes }) => minutes))} minutes`,
    interruptible: true,
    allow_failure: true,
    script: [input.before, execLine(input, "$JOB")],
    artifacts: { when: "always", paths: [folder], expire_in: "1 week" },
  };
}

function variablesOf({ settings }: PipelineInput): Members {
  const { variables } = settings;
  return isRecord(variables) ? variables : {};
}

/** Groups jobs by pool, with at most as many per group as fit in a matrix. */
function groupsOf(all: readonly Leg[]): readonly (readonly Leg[])[] {
  const pools = [...new Set(all.map(({ pool }) => pool))];
  return pools.flatMap((pool) =>
    chunksOf(all.filter((leg) => leg.pool === pool)),
  );
}

function chunksOf(legs: readonly Leg[]): readonly (readonly Leg[])[] {
  const count = Math.ceil(legs.length / MATRIX_MOST);
  return Array.from({ length: count }, (_, index) =>
    legs.slice(index * MATRIX_MOST, (index + 1) * MATRIX_MOST),
  );
}

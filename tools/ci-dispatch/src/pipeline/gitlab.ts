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

/** GitLab makes at most so many jobs of one matrix: https://docs.gitlab.com/ci/yaml/#parallelmatrix */
const MATRIX_MOST = 200;

/** The plan is an artifact of the job `plan` of the pipeline that triggers this one, which hands its id on. */
const PLAN = { pipeline: "$PARENT_PIPELINE_ID", job: "plan" };

/**
 * Returns a child pipeline of GitLab CI: a job with `parallel:matrix` for the plan's jobs, and one that judges. A red leg
 * does not fail the pipeline, since the verdict does. It is JSON, which is YAML too.
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
      // Nothing of the change is here but what its jobs have attested.
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
  // A folder of another job is no artifact of this one.
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
  return typeof variables === "object" &&
    variables !== null &&
    !Array.isArray(variables)
    ? (variables as Members)
    : {};
}

/** Legs by pool, in groups that a matrix can hold. */
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

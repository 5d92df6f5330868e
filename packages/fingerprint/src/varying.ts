/**
 * Variables that a CI sets to new values in each run, job or step. A unit whose sources name one has another
 * fingerprint each time. https://docs.github.com/actions/reference/workflows-and-actions/variables,
 * https://docs.gitlab.com/ci/variables/predefined_variables/,
 * https://buildkite.com/docs/pipelines/configure/environment-variables.
 */
const VARYING: readonly RegExp[] = [
  /^GITHUB_(?:RUN_ID|RUN_NUMBER|RUN_ATTEMPT|SHA|REF|REF_NAME|HEAD_REF|BASE_REF|WORKFLOW_REF|WORKFLOW_SHA|JOB|ACTION|ACTOR|ACTOR_ID|TRIGGERING_ACTOR|TOKEN|ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)$/,
  /^ACTIONS_(?:RUNTIME|RESULTS|CACHE|ID_TOKEN)_\w+$/,
  /^RUNNER_(?:NAME|TRACKING_ID)$/,
  /^CI_(?:JOB_(?:ID|TOKEN|URL|STARTED_AT)|PIPELINE_(?:ID|IID|URL|CREATED_AT)|COMMIT_\w+|CONCURRENT_ID|MERGE_REQUEST_\w+|RUNNER_ID)$/,
  /^BUILDKITE_(?:BUILD_(?:ID|NUMBER|URL)|JOB_ID|STEP_ID|COMMIT|BRANCH|MESSAGE|AGENT_\w+|PULL_REQUEST)$/,
];

/** Returns whether a CI sets a variable to another value in each run. Pure. */
export function varies(name: string): boolean {
  return VARYING.some((pattern) => pattern.test(name));
}

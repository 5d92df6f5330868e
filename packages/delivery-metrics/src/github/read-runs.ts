import { conclusionOf, type JobFacts, type RunFacts } from "./run-facts.js";
import type { Row } from "./row.js";

/**
 * Reads a workflow run of the REST API: a row of a list, or one attempt.
 * @returns undefined if the row lacks its number, commit or start
 * @see https://docs.github.com/rest/actions/workflow-runs
 */
export function readRun(row: Row): RunFacts | undefined {
  const run = row.whole("id");
  const sha = row.sha("head_sha");
  const created = row.time("created_at");
  if (run === undefined || sha === undefined || created === undefined)
    return undefined;
  const attempt = row.whole("run_attempt") ?? 1;
  return {
    run,
    attempt,
    workflow: row.text("name") ?? row.text("path") ?? "unknown",
    // The path is `.github/workflows/ci.yml@main` for a required workflow of another repository.
    path: row.text("path")?.replace(/@.*$/, "") ?? null,
    event: row.text("event") ?? "unknown",
    branch: row.text("head_branch") ?? null,
    sha,
    created,
    // The first attempt starts with the run. Older servers report only the start of the newest attempt.
    started: attempt === 1 ? created : (row.time("run_started_at") ?? created),
    conclusion: conclusionOf(row.text("conclusion")),
    suite: row.text("check_suite_node_id"),
  };
}

/**
 * Reads a job of the REST API.
 * @returns undefined if the row lacks its name
 * @see https://docs.github.com/rest/actions/workflow-jobs
 */
export function readJob(row: Row): JobFacts | undefined {
  const name = row.text("name");
  if (name === undefined) return undefined;
  const conclusion = conclusionOf(row.text("conclusion"));
  return {
    attempt: row.whole("run_attempt") ?? 1,
    going: conclusion === undefined,
    job: {
      name,
      created: row.time("created_at") ?? null,
      started: row.time("started_at") ?? null,
      completed: row.time("completed_at") ?? null,
      conclusion: conclusion ?? "unknown",
    },
  };
}

/**
 * Reads the jobs of a check suite of {@link JOBS_QUERY}.
 * @param run the suite's run; the suite also contains checks that a step created, whose links lead elsewhere
 * @returns undefined if some jobs are missing, or no check is a job; then the caller must use the REST API
 */
export function readSuite(
  suite: Row | undefined,
  run: number,
): readonly JobFacts[] | undefined {
  const checks = suite?.row("checkRuns");
  if (!checks || checks.row("pageInfo")?.flag("hasNextPage")) return undefined;
  const jobs = new Map<string, JobFacts>();
  for (const node of checks.rows("nodes")) {
    const [, of, id] =
      /\/actions\/runs\/(\d+)\/jobs?\/(\d+)/.exec(
        node.text("detailsUrl") ?? "",
      ) ?? [];
    const job = readCheck(node);
    if (id === undefined || of !== String(run) || !job || jobs.has(id))
      continue;
    jobs.set(id, job);
  }
  return jobs.size === 0 ? undefined : [...jobs.values()];
}

function readCheck(node: Row): JobFacts | undefined {
  const name = node.text("name");
  if (name === undefined) return undefined;
  const conclusion = conclusionOf(node.text("conclusion"));
  return {
    attempt: 1,
    going: conclusion === undefined,
    job: {
      name,
      created: null,
      started: node.time("startedAt") ?? null,
      completed: node.time("completedAt") ?? null,
      conclusion: conclusion ?? "unknown",
    },
  };
}

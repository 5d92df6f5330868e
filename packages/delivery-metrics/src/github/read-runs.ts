import type { JobFacts, RunFacts } from "./run-facts.js";
import { conclusionOf } from "./run-facts.js";
import type { Row } from "./row.js";

/**
 * Reads a workflow run of the REST API: a row of a list, or one attempt.
 * @returns undefined for a row that lacks its number, its commit or its beginning
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
    // `.github/workflows/ci.yml@main` for a workflow that another one requires.
    path: row.text("path")?.replace(/@.*$/, "") ?? null,
    event: row.text("event") ?? "unknown",
    branch: row.text("head_branch") ?? null,
    sha,
    created,
    // The first attempt begins with the run; older servers tell the start of the newest attempt alone.
    started: attempt === 1 ? created : (row.time("run_started_at") ?? created),
    conclusion: conclusionOf(row.text("conclusion")),
    suite: row.text("check_suite_node_id"),
  };
}

/**
 * Reads a job of the REST API.
 * @returns undefined for a row that lacks its name
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
 * @param run whose suite it is: checks that a step has written itself stand there too, and lead elsewhere
 * @returns undefined where they are not all there, or cannot be told from other checks: then the REST API is to be asked
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

import {
  JOBS_QUERY,
  publishedByRuns,
  readJob,
  readRun,
  readSuite,
  Row,
  runCompleted,
  runStarted,
  type DeliveryEvent,
  type JobFacts,
  type RunFacts,
} from "@skein/delivery-metrics";
import { unlessNotFound } from "@skein/github";
import { inHalves } from "./batches.js";
import type { Session } from "./session.js";

/** The number of runs whose jobs are requested at once. */
const BATCH = 50;

/**
 * Adds runs, and the jobs of those that have ended. A run with several attempts is read attempt by attempt, through the
 * REST API, because only that reports the attempt of a job. All others are read in batches.
 * @returns whether a part must be read again later
 */
export async function keepRuns(
  session: Session,
  runs: readonly RunFacts[],
): Promise<boolean> {
  const { ledger, name } = session;
  ledger.keep(runs.map((facts) => runStarted(name, facts)));
  const missing = runs.filter((facts) => !isKnown(session, facts));
  const simple = missing.filter(
    ({ attempt, conclusion }) => attempt === 1 && conclusion !== undefined,
  );
  let open = runs.some(({ conclusion }) => conclusion === undefined);
  for (let at = 0; at < simple.length; at += BATCH) {
    const batch = simple.slice(at, at + BATCH);
    for (const { facts, jobs } of await jobsOf(session, batch)) {
      keep(session, [facts], jobs);
      // According to its row the run has ended, but the job's status lags behind.
      open ||= jobs.some(({ going }) => going);
    }
    await session.save({});
  }
  for (const facts of missing) {
    if (facts.attempt === 1) continue;
    const jobs = await restJobs(session, facts.run);
    if (jobs) keep(session, await attemptsOf(session, facts), jobs);
    open ||= jobs?.some(({ going }) => going) ?? false;
    await session.save({});
  }
  return open;
}

/** Returns whether each ended attempt is stored with all data that GitHub has about it. */
function isKnown({ ledger, name }: Session, facts: RunFacts): boolean {
  for (let attempt = 1; attempt <= facts.attempt; attempt++) {
    const isNewest = attempt === facts.attempt;
    if (isNewest && facts.conclusion === undefined) continue;
    const event = ledger.known(`run-completed ${name} ${facts.run} ${attempt}`);
    if (event?.kind !== "run-completed") return false;
    // The attempt was read in a batch, before a second attempt existed.
    const isCoarse =
      event.jobs.length > 0 &&
      event.jobs.every(({ created }) => created === null);
    if (facts.attempt > 1 && isCoarse) return false;
  }
  return true;
}

function keep(
  { ledger, name, rules }: Session,
  attempts: readonly RunFacts[],
  jobs: readonly JobFacts[],
): void {
  const events: DeliveryEvent[] = attempts.flatMap((facts) => {
    const completed = runCompleted(name, facts, jobs);
    const started = runStarted(name, facts);
    return completed ? [started, completed] : [started];
  });
  ledger.keep([...events, ...publishedByRuns(events, () => rules.publish)]);
}

interface RunJobs {
  readonly facts: RunFacts;
  readonly jobs: readonly JobFacts[];
}

/** Returns the jobs of runs with one attempt. A run that was deleted in the meantime has none. */
async function jobsOf(
  session: Session,
  runs: readonly RunFacts[],
): Promise<readonly RunJobs[]> {
  const asked = runs.filter(({ suite }) => suite !== undefined);
  const nodes = await inHalves(asked, async (part) => {
    if (part.length === 0) return [];
    const ids = part.map(({ suite }) => suite);
    const data = Row.of(await session.graphql(JOBS_QUERY, { ids }));
    const found = data?.get("nodes");
    return part.map((_, index) =>
      Row.of(Array.isArray(found) ? found[index] : undefined),
    );
  });
  const suites = new Map(asked.map(({ run }, index) => [run, nodes[index]]));
  const all: RunJobs[] = [];
  for (const facts of runs) {
    const jobs =
      readSuite(suites.get(facts.run), facts.run) ??
      (await restJobs(session, facts.run));
    if (jobs) all.push({ facts, jobs });
  }
  return all;
}

/**
 * Returns all jobs of all attempts.
 * @returns undefined for a run that was deleted
 */
async function restJobs(
  session: Session,
  run: number,
): Promise<readonly JobFacts[] | undefined> {
  const jobs: JobFacts[] = [];
  for (let page = 1; ; page++) {
    const answer = await unlessNotFound(
      session.get(`/actions/runs/${run}/jobs`, {
        filter: "all",
        per_page: 100,
        page,
      }),
    );
    if (answer?.kind !== "new") return undefined;
    const rows = Row.of(answer.body)?.rows("jobs") ?? [];
    jobs.push(...rows.flatMap((row) => readJob(row) ?? []));
    if (!answer.next) return jobs;
  }
}

/** Returns all attempts of a run, without those that were deleted. */
async function attemptsOf(
  session: Session,
  newest: RunFacts,
): Promise<readonly RunFacts[]> {
  const all: RunFacts[] = [];
  for (let attempt = 1; attempt < newest.attempt; attempt++) {
    const path = `/actions/runs/${newest.run}/attempts/${attempt}`;
    const answer = await unlessNotFound(
      session.get(path, { exclude_pull_requests: "true" }),
    );
    const row = answer?.kind === "new" ? Row.of(answer.body) : undefined;
    const facts = row && readRun(row);
    if (facts) all.push(facts);
  }
  return [...all, newest];
}

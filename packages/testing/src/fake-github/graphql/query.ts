import { attemptEnd, iso, type RecordedRun } from "../delivery.js";
import type { FakeRepository, State } from "../state.js";
import { connection, type ListArguments } from "./connection.js";
import { listCommits, type HistoryArguments } from "./commits.js";
import { describePull, listPulls, seePull } from "./pulls.js";

/** Returns the roots of all queries. graphql-js uses members and functions of these objects as the fields' values. */
export function makeQuery(state: State, missing: (id: string) => void) {
  const node = ({ id }: { readonly id: string }) => {
    for (const repository of state.repositories.values()) {
      const found = findNode(repository, id);
      if (found) return found;
    }
    missing(id);
    return null;
  };
  return {
    node,
    nodes: ({ ids }: { readonly ids: readonly string[] }) =>
      ids.map((id) => node({ id })),
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const key = `${owner}/${name}`.toLowerCase();
      const repository = state.repositories.get(key);
      if (repository) return describeRepository(repository);
      missing(key);
      return null;
    },
  };
}

function findNode({ delivery, fullName }: FakeRepository, id: string) {
  const { clock, pulls, runs, deployments } = delivery;
  const [, kind, digits] = /^(PR|CS|DE)_(\d+)$/.exec(id) ?? [];
  const number = Number(digits);
  switch (kind) {
    case "PR": {
      const pull = pulls.find((each) => each.number === number);
      const seen = pull && seePull(pull, clock);
      return seen && describePull(seen);
    }
    case "CS": {
      const run = runs.find((each) => each.id === number);
      return run && !run.deleted
        ? describeSuite(run, clock, fullName)
        : undefined;
    }
    case "DE": {
      const found = deployments.find((each) => each.id === number);
      if (!found) return undefined;
      const statuses = found.statuses.filter(({ at }) => at <= clock);
      return {
        __typename: "Deployment",
        statuses: (args: ListArguments) =>
          connection(
            statuses.map(({ state, at }) => ({ state, createdAt: iso(at) })),
            args,
          ),
      };
    }
    case undefined:
    default:
      return undefined;
  }
}

/** Returns the check suite of a run. It contains the jobs of all its attempts, and a check that a step created. */
function describeSuite(run: RecordedRun, clock: number, fullName: string) {
  const url = `https://github.com/${fullName}/actions/runs/${run.id}`;
  const jobs = run.attempts
    .filter(({ startedAt }) => startedAt <= clock)
    .flatMap(({ jobs: all }) => all)
    .filter(({ createdAt }) => createdAt <= clock)
    .map((job) => ({
      name: job.name,
      status: job.completedAt <= clock ? "COMPLETED" : "IN_PROGRESS",
      conclusion:
        job.completedAt <= clock ? job.conclusion.toUpperCase() : null,
      startedAt: iso(job.startedAt),
      completedAt: job.completedAt <= clock ? iso(job.completedAt) : null,
      detailsUrl: `${url}/job/${job.id}`,
    }));
  const end = run.attempts[0] ? attemptEnd(run.attempts[0]) : 0;
  const written = {
    name: "coverage",
    status: "COMPLETED",
    conclusion: "NEUTRAL",
    startedAt: iso(end),
    completedAt: iso(end + 3_600_000),
    detailsUrl: `https://github.com/${fullName}/runs/1`,
  };
  return {
    __typename: "CheckSuite",
    checkRuns: (args: ListArguments) => connection([...jobs, written], args),
  };
}

function describeRepository({ delivery }: FakeRepository) {
  const { clock, releases, tags } = delivery;
  return {
    defaultBranchRef: {
      target: {
        __typename: "Commit",
        history: (args: HistoryArguments) => listCommits(delivery, args),
      },
    },
    pullRequests: (args: ListArguments) => listPulls(delivery, args),
    releases: (args: ListArguments) =>
      connection(
        releases
          .filter(({ createdAt }) => createdAt <= clock)
          .sort((a, b) => b.createdAt - a.createdAt)
          .map(({ tag, sha, createdAt, publishedAt = Infinity }) => ({
            tagName: tag,
            isDraft: publishedAt > clock,
            createdAt: iso(createdAt),
            publishedAt: publishedAt > clock ? null : iso(publishedAt),
            tagCommit: { oid: sha },
          })),
        args,
        ({ createdAt }) => createdAt,
      ),
    refs: (args: ListArguments) =>
      connection(
        tags
          .filter(({ at }) => at <= clock)
          .sort((a, b) => b.at - a.at)
          .map(({ name, sha, at, annotated }) => ({
            name,
            target: annotated
              ? {
                  __typename: "Tag",
                  oid: "f".repeat(40),
                  tagger: { date: iso(at) },
                  target: {
                    __typename: "Commit",
                    oid: sha,
                    committedDate: iso(at - 1000),
                  },
                }
              : { __typename: "Commit", oid: sha, committedDate: iso(at) },
          })),
        args,
      ),
  };
}

import { iso, type FakeDelivery } from "../delivery.js";
import { connection, type ListArguments } from "./connection.js";
import { describeMessage, describePull, seePull } from "./pulls.js";

export interface HistoryArguments extends ListArguments {
  readonly path?: string | null;
  readonly since?: string | null;
}

/**
 * Returns the commits of the default branch, newest first. With a path, only those that change it, or a file below it.
 */
export function listCommits(
  { clock, commits, pulls }: FakeDelivery,
  { path, since, ...args }: HistoryArguments,
) {
  const from = since ? Date.parse(since) : -Infinity;
  const seen = commits
    .filter(({ at }) => at <= clock && at >= from)
    .filter(
      ({ files }) =>
        !path ||
        files.some((file) => file === path || file.startsWith(`${path}/`)),
    )
    .sort((a, b) => b.at - a.at)
    .map((commit) => {
      const pull = pulls.find(({ number }) => number === commit.pull);
      const found = pull && seePull(pull, clock);
      return {
        ...describeMessage(commit),
        oid: commit.sha,
        committedDate: iso(commit.at),
        author: { name: commit.author ?? "Octo Cat" },
        associatedPullRequests: { nodes: found ? [describePull(found)] : [] },
      };
    });
  return connection(seen, args);
}

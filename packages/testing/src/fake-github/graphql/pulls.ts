import { iso } from "../delivery.js";
import type { FakeDelivery, RecordedItem, RecordedPull } from "../delivery.js";
import { connection, type ListArguments } from "./connection.js";

/** Returns a pull request as it was at the repository's clock; undefined if it didn't exist yet. */
export function seePull(pull: RecordedPull, clock: number) {
  if (pull.openedAt > clock) return undefined;
  const items = (pull.timeline ?? []).filter(({ at }) => at <= clock);
  const merge = pull.merge && pull.merge.at <= clock ? pull.merge : undefined;
  const updated = Math.max(
    pull.openedAt,
    merge?.at ?? 0,
    ...items.map(({ at }) => at),
  );
  return { pull, items, merge, updated };
}
type SeenPull = NonNullable<ReturnType<typeof seePull>>;

/** Returns all pull requests, the most recently changed first. */
export function listPulls({ pulls, clock }: FakeDelivery, args: ListArguments) {
  const seen = pulls
    .flatMap((pull) => seePull(pull, clock) ?? [])
    .sort((a, b) => b.updated - a.updated || b.pull.number - a.pull.number);
  const page = connection(seen, args, ({ updated, pull }) =>
    [updated, pull.number].map((each) => String(each).padStart(15, "0")).join(),
  );
  return { ...page, nodes: page.nodes.map(describePull) };
}

/** Describes a pull request as GitHub's GraphQL API does. */
export function describePull(seen: SeenPull) {
  const { pull, items, merge, updated } = seen;
  const closed = items.filter(({ is }) => is === "ClosedEvent").at(-1);
  const reopened = items.filter(({ is }) => is === "ReopenedEvent").at(-1);
  const isClosed = closed && (reopened?.at ?? 0) < closed.at;
  const closedAt = merge?.at ?? (isClosed ? closed.at : undefined);
  const headline = merge?.headline ?? `Pull request (#${pull.number})`;
  return {
    __typename: "PullRequest",
    id: `PR_${pull.number}`,
    number: pull.number,
    title: pull.title ?? `Pull request ${pull.number}`,
    body: pull.body ?? "",
    isDraft: isDraft(pull, items),
    isCrossRepository: pull.fork ?? false,
    createdAt: iso(pull.openedAt),
    updatedAt: iso(updated),
    closedAt: closedAt === undefined ? null : iso(closedAt),
    mergedAt: merge ? iso(merge.at) : null,
    baseRefName: "main",
    headRefName: pull.branch,
    headRefOid: pull.head,
    author: describeActor(pull.author === undefined ? "octocat" : pull.author),
    mergeCommit: merge
      ? {
          oid: merge.sha,
          messageHeadline: headline,
          parents: { totalCount: merge.parents ?? 1 },
        }
      : null,
    commits: (args: ListArguments) =>
      connection(
        (pull.commits ?? [{ message: "the last commit" }]).map((commit) => ({
          commit: describeMessage(commit),
        })),
        args,
      ),
    files: (args: ListArguments) =>
      connection(
        (pull.files ?? []).map((path) => ({ path })),
        args,
      ),
    timelineItems: (args: ListArguments) =>
      connection(
        items.map((item) => describeItem(item, items)),
        args,
      ),
  };
}

function isDraft(pull: RecordedPull, items: readonly RecordedItem[]): boolean {
  return items.reduce(
    (draft, { is }) =>
      is === "ConvertToDraftEvent" || (draft && is !== "ReadyForReviewEvent"),
    pull.draft ?? false,
  );
}

function describeItem(item: RecordedItem, all: readonly RecordedItem[]) {
  const of = { __typename: item.is, createdAt: iso(item.at) };
  switch (item.is) {
    case "RemovedFromMergeQueueEvent":
      return { ...of, reason: item.reason };
    case "HeadRefForcePushedEvent":
      return { ...of, afterCommit: { oid: item.after } };
    case "PullRequestReview": {
      const dismissed = all.some(
        ({ is, ...other }) =>
          is === "ReviewDismissedEvent" &&
          "id" in other &&
          other.id === item.id,
      );
      return {
        ...of,
        fullDatabaseId: String(item.id),
        submittedAt: iso(item.at),
        // GitHub no longer reports the review's original state here.
        state: dismissed ? "DISMISSED" : item.state,
        author: describeActor(item.author),
      };
    }
    case "ReviewDismissedEvent": {
      const review = all.find(
        (each) => each.is === "PullRequestReview" && each.id === item.id,
      );
      return {
        ...of,
        previousReviewState:
          review?.is === "PullRequestReview" ? review.state : "COMMENTED",
        review: { fullDatabaseId: String(item.id) },
      };
    }
    case "ReadyForReviewEvent":
    case "ConvertToDraftEvent":
    case "ClosedEvent":
    case "ReopenedEvent":
    case "AddedToMergeQueueEvent":
      return of;
  }
}

/** Returns the message of a commit, and the number of its parents. */
export function describeMessage({
  message,
  merges = false,
}: {
  readonly message: string;
  readonly merges?: boolean;
}) {
  return {
    message,
    messageHeadline: message.split("\n", 1)[0],
    parents: { totalCount: merges ? 2 : 1 },
  };
}

/** Returns an actor. GraphQL is the only API that returns a bot's login without `[bot]`. */
function describeActor(login: string | null) {
  if (login === null) return null;
  const bot = login.endsWith("[bot]");
  return {
    __typename: bot ? "Bot" : "User",
    login: login.replace(/\[bot\]$/, ""),
  };
}

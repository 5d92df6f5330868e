import type { MergeMethod } from "../events/event.js";
import type {
  Actor,
  MergeFacts,
  PullFacts,
  TimelineFact,
} from "./pull-facts.js";
import { migrationOf } from "./migration.js";
import { readBody, reviewState } from "./pull-facts.js";
import type { Row } from "./row.js";

/** A pull request of {@link PULLS_QUERY}, and the cursors of the rest of its lists. */
export interface ReadPull {
  /** GitHub's own id, which queries for the rest of its lists need. */
  readonly id: string;
  readonly updated: number;
  readonly facts: PullFacts;
  /** The paths of its changed files, from the repository's top. */
  readonly files: readonly string[];
  /** The cursor of the next page of the timeline; undefined if it is complete. */
  readonly moreTimeline: string | undefined;
  readonly moreFiles: string | undefined;
}

/**
 * Reads a node of {@link PULLS_QUERY}.
 * @returns undefined if it lacks its id, number or times
 */
export function readGraphqlPull(row: Row): ReadPull | undefined {
  const id = row.text("id");
  const pull = row.whole("number");
  const created = row.time("createdAt");
  const updated = row.time("updatedAt");
  if (id === undefined || pull === undefined) return undefined;
  if (created === undefined || updated === undefined) return undefined;
  const timeline = row.row("timelineItems");
  const files = row.row("files");
  return {
    id,
    updated,
    facts: {
      pull,
      title: row.text("title") ?? null,
      body: readBody(row),
      author: readActor(row.row("author")),
      branch: row.text("headRefName") ?? "unknown",
      base: row.text("baseRefName") ?? "unknown",
      draft: row.flag("isDraft"),
      fork: row.flag("isCrossRepository"),
      created,
      closed: row.time("closedAt"),
      merged: readMerge(row),
      migrations: lastCommits(row).flatMap((each) => migrationOf(each) ?? []),
      timeline: readTimeline(timeline),
    },
    files: readFiles(files),
    moreTimeline: nextPage(timeline),
    moreFiles: nextPage(files),
  };
}

/** Returns the timeline of one page. */
export function readTimeline(connection: Row | undefined): TimelineFact[] {
  return (connection?.rows("nodes") ?? []).flatMap(
    (node) => readItem(node) ?? [],
  );
}

/** Returns the file names of one page. */
export function readFiles(connection: Row | undefined): string[] {
  return (connection?.rows("nodes") ?? []).flatMap((node) => {
    // Not cleaned: a name must be exact to match a package.
    const path = node.get("path");
    return typeof path === "string" ? [path] : [];
  });
}

/** Returns the cursor of the next page; undefined after the last. */
export function nextPage(connection: Row | undefined): string | undefined {
  const info = connection?.row("pageInfo");
  return info?.flag("hasNextPage") ? info.text("endCursor") : undefined;
}

function readMerge(row: Row): MergeFacts | undefined {
  const at = row.time("mergedAt");
  const head = row.sha("headRefOid");
  if (at === undefined || head === undefined) return undefined;
  const commit = row.row("mergeCommit");
  return {
    at,
    sha: commit?.sha("oid") ?? head,
    head,
    method: mergeMethod(row, commit),
  };
}

/**
 * Returns the merge method. GitHub doesn't report it, but it usually follows from the commit on the base branch: a
 * squash ends its headline with the number.
 */
function mergeMethod(row: Row, commit: Row | undefined): MergeMethod {
  const items = row.row("timelineItems")?.rows("nodes") ?? [];
  if (
    items.some((node) => node.text("__typename") === "AddedToMergeQueueEvent")
  )
    return "queue";
  const parents = commit?.row("parents")?.whole("totalCount");
  if (!commit || parents === undefined) return "unknown";
  if (parents > 1) return "merge";
  const headline = commit.text("messageHeadline") ?? "";
  if (headline.endsWith(`(#${row.whole("number") ?? ""})`)) return "squash";
  const last = lastCommits(row).at(-1)?.text("messageHeadline");
  return last === headline ? "rebase" : "unknown";
}

function lastCommits(row: Row): readonly Row[] {
  const nodes = row.row("commits")?.rows("nodes") ?? [];
  return nodes.flatMap((node) => node.row("commit") ?? []);
}

function readItem(node: Row): TimelineFact | undefined {
  const at = node.time("createdAt");
  const kind = node.text("__typename");
  if (kind === "PullRequestReview") return readReview(node);
  if (at === undefined) return undefined;
  switch (kind) {
    case "ReadyForReviewEvent":
      return { kind: "ready", at };
    case "ConvertToDraftEvent":
      return { kind: "draft", at };
    case "ClosedEvent":
      return { kind: "closed", at };
    case "ReopenedEvent":
      return { kind: "reopened", at };
    case "AddedToMergeQueueEvent":
      return { kind: "queued", at };
    case "RemovedFromMergeQueueEvent":
      return { kind: "unqueued", at, reason: node.text("reason") ?? null };
    case "HeadRefForcePushedEvent": {
      const sha = node.row("afterCommit")?.sha("oid");
      return sha === undefined ? undefined : { kind: "forced", at, sha };
    }
    case "ReviewDismissedEvent": {
      const review = node.row("review")?.whole("fullDatabaseId");
      if (review === undefined) return undefined;
      const state = reviewState(node.text("previousReviewState"));
      return { kind: "dismissed", at, review, state };
    }
    case undefined:
    default:
      return undefined;
  }
}

function readReview(node: Row): TimelineFact | undefined {
  // A review without this time is its author's draft.
  const at = node.time("submittedAt");
  const review = node.whole("fullDatabaseId");
  if (at === undefined || review === undefined) return undefined;
  return {
    kind: "reviewed",
    at,
    review,
    reviewer: readActor(node.row("author")),
    state: reviewState(node.text("state")),
  };
}

/** Reads an actor. A bot's login ends in `[bot]` in the REST API, but not in GraphQL. */
function readActor(author: Row | undefined): Actor {
  const login = author?.text("login") ?? "ghost";
  const bot = author?.text("__typename") === "Bot" || login.endsWith("[bot]");
  return {
    login: bot && !login.endsWith("[bot]") ? `${login}[bot]` : login,
    bot,
  };
}

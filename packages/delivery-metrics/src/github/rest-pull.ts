import type { Actor, PullFacts, TimelineFact } from "./pull-facts.js";
import { readBody, reviewState } from "./pull-facts.js";
import type { Row } from "./row.js";

/**
 * Reads a row of `GET /repos/{owner}/{repo}/pulls`.
 * @returns undefined if the row lacks its number or its start
 * @see https://docs.github.com/rest/pulls/pulls#list-pull-requests
 */
export function readRestPull(
  row: Row,
  timeline: readonly TimelineFact[],
): PullFacts | undefined {
  const pull = row.whole("number");
  const created = row.time("created_at");
  const head = row.row("head");
  const base = row.row("base");
  if (pull === undefined || created === undefined || !head || !base)
    return undefined;
  const mergedAt = row.time("merged_at");
  const sha = row.sha("merge_commit_sha");
  const headSha = head.sha("sha");
  const home = base.row("repo")?.text("full_name")?.toLowerCase();
  const from = head.row("repo")?.text("full_name")?.toLowerCase();
  return {
    pull,
    title: row.text("title") ?? null,
    body: readBody(row),
    author: readActor(row.row("user")),
    branch: head.text("ref") ?? "unknown",
    base: base.text("ref") ?? "unknown",
    draft: row.flag("draft"),
    // A deleted repository was a fork, because ours still exists.
    fork: from === undefined || from !== home,
    created,
    closed: row.time("closed_at"),
    merged:
      mergedAt !== undefined && headSha !== undefined
        ? {
            at: mergedAt,
            sha: sha ?? headSha,
            head: headSha,
            method: timeline.some(({ kind }) => kind === "queued")
              ? "queue"
              : "unknown",
          }
        : undefined,
    migrations: [],
    timeline,
  };
}

/**
 * Reads a row of a pull request's reviews.
 * @see https://docs.github.com/rest/pulls/reviews#list-reviews-for-a-pull-request
 */
export function readRestReview(row: Row): TimelineFact | undefined {
  const at = row.time("submitted_at");
  const review = row.whole("id");
  if (at === undefined || review === undefined) return undefined;
  const state = reviewState(row.text("state"));
  return {
    kind: "reviewed",
    at,
    review,
    reviewer: readActor(row.row("user")),
    state,
  };
}

/**
 * Reads a row of a pull request's timeline, or of the issue events, which are a part of it.
 * @returns undefined for events that don't matter for delivery
 * @see https://docs.github.com/rest/using-the-rest-api/issue-event-types
 */
export function readRestTimeline(row: Row): TimelineFact | undefined {
  const at = row.time("created_at");
  const kind = row.text("event");
  if (kind === "reviewed") return readRestReview(row);
  if (at === undefined) return undefined;
  switch (kind) {
    case "ready_for_review":
      return { kind: "ready", at };
    case "convert_to_draft":
    case "converted_to_draft":
      return { kind: "draft", at };
    case "closed":
    case "reopened":
      return { kind, at };
    case "added_to_merge_queue":
      return { kind: "queued", at };
    case "removed_from_merge_queue":
      return { kind: "unqueued", at, reason: row.text("reason") ?? null };
    case "head_ref_force_pushed": {
      const sha = row.sha("commit_id");
      return sha === undefined ? undefined : { kind: "forced", at, sha };
    }
    case "review_dismissed": {
      const dismissed = row.row("dismissed_review");
      const review = dismissed?.whole("review_id");
      if (review === undefined) return undefined;
      const state = reviewState(dismissed?.text("state"));
      return { kind: "dismissed", at, review, state };
    }
    case undefined:
    default:
      return undefined;
  }
}

function readActor(user: Row | undefined): Actor {
  const login = user?.text("login") ?? "ghost";
  return {
    login,
    bot: user?.text("type") === "Bot" || login.endsWith("[bot]"),
  };
}

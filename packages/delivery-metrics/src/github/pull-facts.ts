import type { Instant, MergeMethod, ReviewState } from "../events/event.js";
import type { Row } from "./row.js";

/** The facts about a pull request, from either API. */
export interface PullFacts {
  readonly pull: number;
  readonly title: string | null;
  /** The text as its author wrote it; null if it is missing. */
  readonly body: string | null;
  readonly author: Actor;
  readonly branch: string;
  readonly base: string;
  /** Whether it is a draft now. */
  readonly draft: boolean;
  readonly fork: boolean;
  readonly created: Instant;
  /** The time at which it was closed, merged or not; undefined if it is open. */
  readonly closed: Instant | undefined;
  readonly merged: MergeFacts | undefined;
  /** Titles of those merges among its last commits with which `migrate-repo` imported a repository. */
  readonly migrations: readonly string[];
  readonly timeline: readonly TimelineFact[];
}

export interface Actor {
  /** `ghost` if the account was deleted. */
  readonly login: string;
  readonly bot: boolean;
}

export interface MergeFacts {
  readonly at: Instant;
  readonly sha: string;
  readonly head: string;
  readonly method: MergeMethod;
}

/** An event of a pull request that matters for delivery. */
export type TimelineFact =
  | {
      readonly kind: "ready" | "draft" | "closed" | "reopened" | "queued";
      readonly at: Instant;
    }
  | {
      readonly kind: "unqueued";
      readonly at: Instant;
      readonly reason: string | null;
    }
  | { readonly kind: "forced"; readonly at: Instant; readonly sha: string }
  | {
      readonly kind: "reviewed";
      readonly at: Instant;
      readonly review: number;
      readonly reviewer: Actor;
      /** Undefined if it has been dismissed since. */
      readonly state: ReviewState | undefined;
    }
  | {
      readonly kind: "dismissed";
      readonly at: Instant;
      readonly review: number;
      /** The state before the dismissal. */
      readonly state: ReviewState | undefined;
    };

/** Converts GitHub's state of a review, in any case. */
export function reviewState(word: string | undefined): ReviewState | undefined {
  switch (word?.toLowerCase().replaceAll("_", "-")) {
    case "approved":
      return "approved";
    case "changes-requested":
      return "changes-requested";
    case "commented":
      return "commented";
    case undefined:
    default:
      return undefined;
  }
}

/** The maximum length of a body on GitHub. */
const LONGEST_BODY = 65_536;

/** Returns the unchanged text of a pull request, with its line breaks. */
export function readBody(row: Row): string | null {
  const body = row.get("body");
  return typeof body === "string" ? body.slice(0, LONGEST_BODY) : null;
}

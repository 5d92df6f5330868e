import type { Instant, MergeMethod, ReviewState } from "../events/event.js";
import type { Row } from "./row.js";

/** A pull request, as whichever API has told of it. */
export interface PullFacts {
  readonly pull: number;
  readonly title: string | null;
  /** As its author wrote it; null where it was not told. */
  readonly body: string | null;
  readonly author: Actor;
  readonly branch: string;
  readonly base: string;
  /** Now. */
  readonly draft: boolean;
  readonly fork: boolean;
  readonly created: Instant;
  /** Closed, merged or not; undefined where it is open. */
  readonly closed: Instant | undefined;
  readonly merged: MergeFacts | undefined;
  /** Titles of the merges among its last commits by which `migrate-repo` has brought a repository. */
  readonly migrations: readonly string[];
  readonly timeline: readonly TimelineFact[];
}

export interface Actor {
  /** `ghost` where the account is gone. */
  readonly login: string;
  readonly bot: boolean;
}

export interface MergeFacts {
  readonly at: Instant;
  readonly sha: string;
  readonly head: string;
  readonly method: MergeMethod;
}

/** The facts about a pull request that concern delivery. */
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
      /** Undefined where it is dismissed by now. */
      readonly state: ReviewState | undefined;
    }
  | {
      readonly kind: "dismissed";
      readonly at: Instant;
      readonly review: number;
      /** The value before. */
      readonly state: ReviewState | undefined;
    };

/** GitHub's word for a review's state, in whatever letters. */
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

/** GitHub's own limit. */
const LONGEST_BODY = 65_536;

/** Returns the text of a pull request, as it is, line by line. */
export function readBody(row: Row): string | null {
  const body = row.get("body");
  return typeof body === "string" ? body.slice(0, LONGEST_BODY) : null;
}

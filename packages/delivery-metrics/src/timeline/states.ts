import type { Instant, ReviewState } from "../events/event.js";
import type { Mark, PullFacts } from "../facts/facts.js";
import { union, type Span, type Spans } from "../spans/spans.js";

/** The times during which a pull request was in some state, up to its merge. */
export interface States {
  /** Not ready for review: not opened yet, a draft, or closed. */
  readonly unready: Spans;
  /** Approved by at least one person, without a person's request for changes. */
  readonly approved: Spans;
  /** In the merge queue. */
  readonly queued: Spans;
}

/**
 * Computes the states from the marks of a pull request.
 * @param until its merge
 */
export function statesOf(
  { opened, marks }: PullFacts,
  began: Instant,
  until: Instant,
): States {
  const unready = new Switch(began, opened !== undefined);
  const queued = new Switch(began, false);
  const approved = new Switch(began, false);
  const reviews = new Reviews();
  let draft = opened?.draft ?? false;
  let closed = false;
  if (opened) unready.set(draft, opened.at);
  for (const mark of marks) {
    if (mark.at > until) break;
    if (mark.kind === "pull-draft") draft = true;
    if (mark.kind === "pull-ready") draft = false;
    if (mark.kind === "pull-closed") closed = true;
    if (mark.kind === "pull-reopened") closed = false;
    unready.set(draft || closed, mark.at);
    if (mark.kind === "queue-entered") queued.set(true, mark.at);
    if (mark.kind === "queue-left") queued.set(false, mark.at);
    reviews.take(mark);
    approved.set(reviews.approve, mark.at);
  }
  return {
    unready: unready.spans(until),
    approved: approved.spans(until),
    queued: queued.spans(until),
  };
}

/** A state that is on or off, and the times at which it was on. */
class Switch {
  readonly #spans: Span[] = [];
  #on: boolean;
  #since: Instant;

  constructor(from: Instant, on: boolean) {
    this.#on = on;
    this.#since = from;
  }

  set(on: boolean, at: Instant): void {
    if (on === this.#on) return;
    if (this.#on) this.#spans.push({ from: this.#since, to: at });
    this.#on = on;
    this.#since = Math.max(this.#since, at);
  }

  spans(until: Instant): Spans {
    return union(
      this.#on
        ? [...this.#spans, { from: this.#since, to: until }]
        : this.#spans,
    );
  }
}

/** The last deciding review of each reviewer. Reviews of programs, and comments, don't decide. */
class Reviews {
  readonly #last = new Map<
    string,
    { readonly review: number; readonly state: ReviewState }
  >();

  take(mark: Mark): void {
    if (mark.kind === "pull-reviewed") {
      if (mark.bot || mark.state === "commented") return;
      this.#last.set(mark.reviewer, mark);
    }
    if (mark.kind === "pull-review-dismissed")
      for (const [reviewer, { review }] of this.#last)
        if (review === mark.review) this.#last.delete(reviewer);
  }

  get approve(): boolean {
    let approved = false;
    for (const { state } of this.#last.values()) {
      if (state === "changes-requested") return false;
      approved ||= state === "approved";
    }
    return approved;
  }
}

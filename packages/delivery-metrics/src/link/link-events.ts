import type { DeliveryEvent, EventOf } from "../events/event.js";
import { inOrder, mergeEvents, mergeOrdered } from "../events/merge-events.js";
import { branchKey, pullOfRun, pullSpans } from "./pull-spans.js";
import type { PullSpan } from "./pull-spans.js";

/**
 * Merges events, and adds information that follows from several of them:
 * - a push to a branch is a push of the pull request from that branch: of the one that was open then, else of the next
 *   one that was opened;
 * - a run for a pull request gets its number, by branch and time. GitHub reports the number only as long as the pull
 *   request is open, so its answer would depend on the time of the request;
 * - a commit of such a run without a known push (in a fork) counts as pushed when the run was created.
 *
 * These links are never stored, so they don't depend on how the events were partitioned when they were read. Pure.
 */
export function linkEvents(
  events: Iterable<DeliveryEvent>,
): readonly DeliveryEvent[] {
  return linkMerged(mergeEvents(events));
}

/** Does the same with events that are merged already. */
export function linkMerged(
  merged: readonly DeliveryEvent[],
): readonly DeliveryEvent[] {
  const spans = pullSpans(merged);
  const pushes: EventOf<"pull-pushed">[] = [];
  /** Adds a push, unless one of that commit is known. */
  const add = (
    { opened, pushed }: PullSpan,
    push: Pick<EventOf<"pull-pushed">, "at" | "sha" | "forced">,
  ) => {
    if (pushed.has(push.sha)) return;
    pushed.add(push.sha);
    const { repository, pull } = opened;
    pushes.push({ kind: "pull-pushed", repository, pull, ...push });
  };
  for (const event of merged) {
    if (event.kind !== "branch-pushed") continue;
    const { at, repository, branch, sha, forced } = event;
    const own = spans.byBranch
      .get(branchKey(repository, branch))
      ?.find(({ opened, end }) => !opened.fork && at <= end);
    if (own) add(own, { at, sha, forced });
  }
  const linked = merged.map((event) => {
    if (event.kind !== "run-started" || event.pulls.length > 0) return event;
    const span = pullOfRun(spans, event);
    if (!span) return event;
    const { created: at, sha } = event;
    // A merge queue has its own commits, and those of `pull_request_target` are the base branch's.
    if (event.event === "pull_request") add(span, { at, sha, forced: false });
    return { ...event, pulls: [span.opened.pull] };
  });
  return mergeOrdered(linked, inOrder(pushes));
}

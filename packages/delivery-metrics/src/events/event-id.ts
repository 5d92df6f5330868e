import type { DeliveryEvent, RunStarted } from "./event.js";

/**
 * Returns the stable id of an event, which consists of its subject: `run-completed acme/web 577324554 2`. The same fact
 * has the same id however often it is read. Of several lines with one id, the last one counts. Events that may happen
 * to a pull request more than once include their time.
 */
export function eventId(event: DeliveryEvent): string {
  return `${event.kind} ${event.repository} ${aboutWhat(event)}`;
}

/** Returns the id of the event that ends an attempt. */
export function endIdOf({ repository, run, attempt }: RunStarted): string {
  return `run-completed ${repository} ${run} ${attempt}`;
}

function aboutWhat(event: DeliveryEvent): string {
  switch (event.kind) {
    case "pull-opened":
    case "pull-merged":
    case "pull-attributed":
    case "pull-upgrades":
      return `${event.pull}`;
    case "pull-ready":
    case "pull-draft":
    case "pull-closed":
    case "pull-reopened":
    case "queue-entered":
    case "queue-left":
      return `${event.pull} ${event.at}`;
    case "pull-pushed":
      return `${event.pull} ${event.sha}`;
    case "branch-pushed":
      return `${event.branch} ${event.at} ${event.sha}`;
    case "pull-reviewed":
    case "pull-review-dismissed":
      return `${event.pull} ${event.review}`;
    case "pull-reverted":
      return `${event.pull} ${event.by}`;
    case "run-started":
    case "run-completed":
      return `${event.run} ${event.attempt}`;
    case "published":
      return `${event.channel} ${event.key}`;
    case "jobs-selected":
    case "run-judged":
      return `${event.plan} ${event.sha}`;
    case "units-reused":
      // The numbers of a pull request never replace those of another one's run.
      return `${event.pull ?? "main"} ${event.run}`;
    case "annotated":
      return `${event.what} ${event.key}`;
  }
}

/**
 * Compares events by id, as text. Kinds and repositories contain no character that sorts before the space after them,
 * so the parts can be compared one by one.
 */
export function compareIds(a: DeliveryEvent, b: DeliveryEvent): number {
  return (
    compare(a.kind, b.kind) ||
    compare(a.repository, b.repository) ||
    compare(aboutWhat(a), aboutWhat(b))
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

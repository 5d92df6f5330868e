import type { DeliveryEvent } from "./event.js";

/**
 * The stable id of an event, made of what it is about: `run-completed acme/web 577324554 2`. Whoever reads the same fact again, in
 * whatever portion, comes to the same id; of two events with one id the later line counts. What may happen to a pull request more
 * than once carries its time.
 */
export function eventId(event: DeliveryEvent): string {
  return `${event.kind} ${event.repository} ${aboutWhat(event)}`;
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
    case "annotated":
      return `${event.what} ${event.key}`;
  }
}

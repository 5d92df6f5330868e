import type { DeliveryEvent } from "../events/event.js";
import type { DrawnPull } from "./drawn-pull.test.kit.js";

/** A pull request with its publication; null if no publication of these weeks contains it. */
export interface Released extends DrawnPull {
  readonly publication: {
    readonly started: number;
    readonly at: number;
  } | null;
}

const EVERY = 1800_000;
const TAKES = 420_000;

/**
 * Returns a release train. Every half hour it publishes everything that was merged so far; its commit is that of the
 * last merge. It takes seven minutes.
 * @param drawn in order of their merges
 */
export function releaseTrain(
  drawn: readonly DrawnPull[],
  { from, to, repository }: { from: number; to: number; repository: string },
): { events: readonly DeliveryEvent[]; drawn: readonly Released[] } {
  const events: DeliveryEvent[] = [];
  const released: Released[] = [];
  let waiting: DrawnPull[] = [];
  let next = 0;
  for (let started = from; started + TAKES < to; started += EVERY) {
    for (; (drawn[next]?.merged ?? Infinity) <= started; next++) {
      const each = drawn[next];
      if (each) waiting.push(each);
    }
    const last = waiting.at(-1);
    const merge = last?.events.find(({ kind }) => kind === "pull-merged");
    if (merge?.kind !== "pull-merged") continue;
    const publication = { started, at: started + TAKES };
    events.push({
      kind: "published",
      ...publication,
      repository,
      channel: "deployment",
      key: String(started / 1000),
      sha: merge.sha,
      environment: "production",
      packages: null,
      pulls: null,
    });
    released.push(...waiting.map((each) => ({ ...each, publication })));
    waiting = [];
  }
  return {
    events,
    drawn: [
      ...released,
      ...[...waiting, ...drawn.slice(next)].map((each) => ({
        ...each,
        publication: null,
      })),
    ],
  };
}

import type { DeliveryEvent } from "../events/event.js";
import type { Told } from "./told.test.kit.js";

/** One with its publication; null where none of the weeks' brings it. */
export interface Released extends Told {
  readonly publication: {
    readonly started: number;
    readonly at: number;
  } | null;
}

const EVERY = 1800_000;
const TAKES = 420_000;

/**
 * A train that leaves every half hour with what was merged up to then, the last merge being the commit that it publishes; it takes
 * seven minutes.
 * @param told in order of their merges
 */
export function releaseTrain(
  told: readonly Told[],
  { from, to, repository }: { from: number; to: number; repository: string },
): { events: readonly DeliveryEvent[]; told: readonly Released[] } {
  const events: DeliveryEvent[] = [];
  const released: Released[] = [];
  let waiting: Told[] = [];
  let next = 0;
  for (let started = from; started + TAKES < to; started += EVERY) {
    for (; (told[next]?.merged ?? Infinity) <= started; next++) {
      const each = told[next];
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
    told: [
      ...released,
      ...[...waiting, ...told.slice(next)].map((each) => ({
        ...each,
        publication: null,
      })),
    ],
  };
}

import type { DeliveryEvent } from "../events/event.js";
import { seededRandom } from "../statistics/random.js";
import { releaseTrain } from "./releases.test.kit.js";
import type { DrawnPull } from "./drawn-pull.test.kit.js";
import { drawPull } from "./draw-pull.test.kit.js";
import { sumUp, type Truth } from "./truth.test.kit.js";

export interface SyntheticOptions {
  /** The same number results in the same weeks. */
  readonly seed: number;
  /** Default: 42. */
  readonly days?: number;
  /** Default: 150. */
  readonly pullsPerDay?: number;
  /** Midnight, UTC; default: Monday 5 January 2026. */
  readonly from?: number;
  /** `owner/name`; default: `acme/shop`. */
  readonly repository?: string;
}

export interface SyntheticWeeks {
  /** In no particular order. */
  readonly events: readonly DeliveryEvent[];
  readonly truth: Truth;
}

const DAY = 86_400_000;

/**
 * Returns weeks of a synthetic workspace, and the correct value of every number about them. It first draws the
 * durations of the stages of each pull request. Then it creates events that match, and computes the truth from the
 * drawn durations instead of the events.
 */
export function syntheticWeeks({
  seed,
  days = 42,
  pullsPerDay = 150,
  from = Date.UTC(2026, 0, 5),
  repository = "acme/shop",
}: SyntheticOptions): SyntheticWeeks {
  const random = seededRandom(seed);
  const drawn: DrawnPull[] = [];
  for (let day = 0; day < days; day++)
    for (let index = 0; index < pullsPerDay; index++) {
      // Between eight and eight, so that work ends on the same day.
      const begin = from + day * DAY + (8 + 12 * random()) * 3_600_000;
      drawn.push(
        drawPull(drawn.length + 1, Math.floor(begin / 1000) * 1000, {
          random,
          repository,
        }),
      );
    }
  const to = from + days * DAY;
  const merged = spreadMerges(drawn).filter((each) => each.merged < to);
  const released = releaseTrain(merged, { from, to, repository });
  return {
    events: [...merged.flatMap(({ events }) => events), ...released.events],
    truth: sumUp(released.drawn, { from, to, repository, days }),
  };
}

/**
 * Moves merges that are in the same second, which could not be ordered: the later one, with all its events, moves by a
 * second.
 */
function spreadMerges(drawn: readonly DrawnPull[]): readonly DrawnPull[] {
  const taken = new Set<number>();
  return drawn
    .map((each) => {
      let shift = 0;
      while (taken.has(each.merged + shift)) shift += 1000;
      taken.add(each.merged + shift);
      return shift === 0 ? each : each.shifted(shift);
    })
    .sort((a, b) => a.merged - b.merged);
}

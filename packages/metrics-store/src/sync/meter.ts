import type { Usage } from "@skein/github";
import { Stopped } from "./session.js";

/** A counter of requests, with their limits. */
export interface Meter {
  /** The number of requests that count. A "not modified" is free. */
  readonly spent: number;
  readonly free: number;
  /** The number of requests that GitHub still allows in this hour; undefined if GitHub doesn't report it. */
  readonly left: number | undefined;
  /** Called for every answer. */
  observe(usage: Usage): void;
  /** @throws {Stopped} if this request is not allowed */
  before(resource: "core" | "graphql"): void;
}

/**
 * Returns a counter of requests.
 * @param budget the maximum number of requests; by default as many as GitHub allows
 */
export function openMeter(budget: number | undefined): Meter {
  const known = new Map<string, Usage>();
  let spent = 0;
  let free = 0;
  return {
    get spent() {
      return spent;
    },
    get free() {
      return free;
    },
    get left() {
      const all = [...known.values()].flatMap(
        ({ remaining }) => remaining ?? [],
      );
      return all.length === 0 ? undefined : Math.min(...all);
    },
    observe(usage) {
      spent += usage.cost;
      if (usage.cost === 0) free++;
      known.set(usage.resource, usage);
    },
    before(resource) {
      if (budget !== undefined && spent >= budget) throw new Stopped("budget");
      const usage = known.get(resource);
      if (usage?.remaining === 0)
        throw new Stopped("rate-limit", usage.resetAt);
    },
  };
}

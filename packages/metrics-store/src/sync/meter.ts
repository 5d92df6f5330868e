import type { Usage } from "@skein/github";
import { Stopped } from "./session.js";

/** The requests that may be made, and those that were. */
export interface Meter {
  /** Those that count: an answer that nothing has changed is free. */
  readonly spent: number;
  readonly free: number;
  /** The requests that GitHub still allows in this hour; undefined if GitHub doesn't report them. */
  readonly left: number | undefined;
  /** Told of every answer. */
  observe(usage: Usage): void;
  /** @throws {Stopped} where this request is not to be made */
  before(resource: "core" | "graphql"): void;
}

/**
 * Counts requests.
 * @param budget how many may be made; undefined for as many as GitHub allows
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

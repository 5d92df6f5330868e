import type { Route } from "../http.js";

/** The remaining requests of the hour. This request isn't counted. */
export const rateLimit: readonly Route[] = [
  {
    operation: "GET /rate_limit",
    answer({ state }) {
      const { limit, remaining, reset } = state.rateLimit;
      const rate = { limit, remaining, reset, used: limit - remaining };
      return {
        body: { rate, resources: { core: rate, search: rate } },
      };
    },
  },
];

import type { Route } from "../http.js";

/** The remaining requests of the hour. This request isn't counted. */
export const rateLimit: readonly Route[] = [
  {
    operation: "GET /rate_limit",
    answer(_, { rateLimit: { limit, remaining, reset } }) {
      const rate = { limit, remaining, reset, used: limit - remaining };
      return {
        status: 200,
        body: { rate, resources: { core: rate, search: rate } },
      };
    },
  },
];

import type { Route } from "../http.js";

/** What is left of the hour. Asking costs nothing. */
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

/** A way in which GitHub or the network fails. */
export type FaultKind =
  | { readonly kind: "status"; readonly status: number }
  /** 403 with `retry-after` in seconds: too many requests at once. Without it, GitHub sends only the sentence. */
  | { readonly kind: "secondary-limit"; readonly retryAfter?: number }
  /** 429 with `retry-after` in seconds. */
  | { readonly kind: "too-many-requests"; readonly retryAfter: number }
  /** 403 because the hourly limit is used up. It resets in this many seconds. */
  | { readonly kind: "rate-limit"; readonly resetIn: number }
  /** 403: the token lacks the permission. */
  | { readonly kind: "missing-permission" }
  /** The right answer, delayed by this many milliseconds. */
  | { readonly kind: "slow"; readonly ms: number }
  /** The connection breaks before any answer. */
  | { readonly kind: "reset" }
  /** The connection breaks in the middle of the body. */
  | { readonly kind: "cut-body" }
  /** The headers announce JSON, but the body isn't JSON, such as a proxy's page. */
  | { readonly kind: "not-json" }
  /** A list is truncated to its first items, without a link to the next page. */
  | { readonly kind: "cut-list"; readonly keep: number };

/** A fault, the requests that it applies to, and how often. */
export interface Fault {
  /** `GET /repos/{owner}/{repo}/pulls/{pull_number}`. Default: every request. */
  readonly operation?: string;
  /** The page of a list. Default: all. */
  readonly page?: number;
  /** Default 1. */
  readonly times?: number;
  readonly fault: FaultKind;
}

/** Faults that wait for matching requests, in the order in which they were added. */
export class Faults {
  readonly #waiting: { fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  /** Returns the fault for this request, if any, and counts it. */
  take(
    operation: string | undefined,
    query: URLSearchParams,
  ): FaultKind | undefined {
    const found = this.#waiting.find(
      ({ fault, left }) =>
        left > 0 &&
        (fault.operation === undefined || fault.operation === operation) &&
        (fault.page === undefined ||
          fault.page === Number(query.get("page") ?? 1)),
    );
    if (!found) return undefined;
    found.left--;
    return found.fault.fault;
  }
}

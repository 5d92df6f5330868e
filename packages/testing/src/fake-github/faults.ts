/** A way in which GitHub, or the network before it, fails. */
export type FaultKind =
  | { readonly kind: "status"; readonly status: number }
  /** 403 with `retry-after` in seconds: too many requests at once. Without it GitHub says only the sentence. */
  | { readonly kind: "secondary-limit"; readonly retryAfter?: number }
  /** 429 with `retry-after` in seconds. */
  | { readonly kind: "too-many-requests"; readonly retryAfter: number }
  /** 403 with nothing left of the hour's requests; the limit resets in so many seconds. */
  | { readonly kind: "rate-limit"; readonly resetIn: number }
  /** 403: the token lacks the permission. */
  | { readonly kind: "missing-permission" }
  /** The right answer, so many milliseconds late. */
  | { readonly kind: "slow"; readonly ms: number }
  /** The connection is cut before any answer. */
  | { readonly kind: "reset" }
  /** The connection is cut in the middle of the body. */
  | { readonly kind: "cut-body" }
  /** Whole JSON is announced, something else is sent: a proxy's page. */
  | { readonly kind: "not-json" }
  /** A list comes back with only its first items, and without a link to the next page. */
  | { readonly kind: "cut-list"; readonly keep: number };

/** A fault, the requests it befalls, and how often. */
export interface Fault {
  /** `GET /repos/{owner}/{repo}/pulls/{pull_number}`; every request where it is left out. */
  readonly operation?: string;
  /** Only requests for this page of a list. */
  readonly page?: number;
  /** Default 1. */
  readonly times?: number;
  readonly fault: FaultKind;
}

/** Faults that wait for their requests, first come first served. */
export class Faults {
  readonly #waiting: { fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  /** Takes the fault that befalls this request, if any. */
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

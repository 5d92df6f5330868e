/** A count, its total, and their ratio. */
export interface Rate {
  readonly count: number;
  readonly of: number;
  /** A number from 0 to 1; null if `of` is 0. */
  readonly rate: number | null;
}

/** Returns a count, its total, and their ratio; the ratio is null if the total is 0. */
export function rate(count: number, of: number): Rate {
  return { count, of, rate: of === 0 ? null : count / of };
}

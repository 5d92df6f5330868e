/** Returns answers for every combination of branches. */
export interface Turns {
  /**
   * Calls a function once for each combination.
   * @returns its answers, without `undefined`
   */
  all<Answer>(ask: () => Answer | undefined): readonly Answer[];
  /**
   * Returns the branch to use, counted from 0; it is the same for one place during one combination.
   * @returns undefined if there are too many combinations; then no branch is known
   */
  at(place: object, branches: number): number | undefined;
}

/**
 * Opens turns.
 * @param most the maximum number of combinations; if there are more, the answer without any branch is added
 */
export function openTurns(most: number): Turns {
  /** The places of this combination, in the order of their first use. The last one changes first. */
  const met = new Map<object, { at: number; readonly last: number }>();
  /** The choices of this combination. */
  let turned: number[] = [];
  let isTooMuch = false;
  return { all, at };

  function all<Answer>(ask: () => Answer | undefined): readonly Answer[] {
    const answers: Answer[] = [];
    turned = [];
    for (let asked = 0; ; asked++) {
      met.clear();
      isTooMuch = asked === most;
      const answer = ask();
      if (answer !== undefined) answers.push(answer);
      if (met.size === 0) return answers;
      const next = [...met.values()];
      while (next.at(-1)?.at === next.at(-1)?.last && next.length > 0)
        next.pop();
      const last = next.pop();
      if (!last) return answers;
      turned = [...next.map(({ at }) => at), last.at + 1];
    }
  }

  function at(place: object, branches: number): number | undefined {
    if (isTooMuch) return undefined;
    const known = met.get(place);
    if (known) return known.at;
    const turn = turned[met.size] ?? 0;
    met.set(place, { at: turn, last: branches - 1 });
    return turn;
  }
}

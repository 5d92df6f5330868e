/** Returns answers for every combination of branches. */
export interface BranchChoices {
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
 * Starts with the first branch at every place.
 * @param most the maximum number of combinations; if there are more, the answer without any branch is added
 */
export function openBranchChoices(most: number): BranchChoices {
  /** The places of this combination, in the order of their first use. The last one changes first. */
  const used = new Map<object, { at: number; readonly last: number }>();
  /** The choices that this combination begins with. At later places, it takes the first branch. */
  let preset: number[] = [];
  let areTooMany = false;
  return { all, at };

  function all<Answer>(ask: () => Answer | undefined): readonly Answer[] {
    const answers: Answer[] = [];
    preset = [];
    for (let asked = 0; ; asked++) {
      used.clear();
      areTooMany = asked === most;
      const answer = ask();
      if (answer !== undefined) answers.push(answer);
      if (used.size === 0) return answers;
      const next = [...used.values()];
      while (next.at(-1)?.at === next.at(-1)?.last && next.length > 0)
        next.pop();
      const last = next.pop();
      if (!last) return answers;
      preset = [...next.map(({ at }) => at), last.at + 1];
    }
  }

  function at(place: object, branches: number): number | undefined {
    if (areTooMany) return undefined;
    const known = used.get(place);
    if (known) return known.at;
    const choice = preset[used.size] ?? 0;
    used.set(place, { at: choice, last: branches - 1 });
    return choice;
  }
}

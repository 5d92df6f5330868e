import { distribution, type Distribution } from "./distribution.js";
import type { Measured } from "./measured.js";
import { measureSamples } from "./samples.js";

/** The measures of a package or an owner. */
export interface Group {
  readonly name: string;
  readonly headline: Distribution;
  readonly gross: Distribution;
}

/** Returns the measures of each package or owner. A pull request counts for each of its packages or owners. */
export function groupBy(
  all: readonly Measured[],
  names: (each: Measured) => readonly string[],
  minimum: number,
): readonly Group[] {
  const byName = new Map<string, Measured[]>();
  for (const each of all)
    for (const name of new Set(names(each))) {
      const list = byName.get(name);
      if (list) list.push(each);
      else byName.set(name, [each]);
    }
  return [...byName]
    .map(([name, list]) => ({
      name,
      headline: distribution(measureSamples(list, "headline"), minimum),
      gross: distribution(measureSamples(list, "gross"), minimum),
    }))
    .sort(
      (a, b) =>
        b.headline.n - a.headline.n ||
        b.gross.n - a.gross.n ||
        (a.name < b.name ? -1 : 1),
    );
}

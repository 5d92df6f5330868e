import { commonEnd } from "@skein/delivery-metrics";
import type { Until, WindowSides } from "@skein/delivery-metrics";
import { usageFailure } from "@skein/reporting";

/** One side of a comparison. Events can be measured to any nearer end; a stored report has only its own. */
export type WindowSide =
  | {
      readonly kind: "events";
      /** The name as the user typed it. */
      readonly name: string;
      readonly sides: WindowSides;
      readonly measureTo: (until: Until) => Promise<WindowSides>;
    }
  | {
      readonly kind: "kept";
      readonly name: string;
      readonly sides: WindowSides;
    };

/** The name of the event that ends a lead time, for sentences. */
export const END_WORDS: Readonly<Record<Until, string>> = {
  merged: "the merge",
  published: "the publication",
  upgraded: "the publication in the repository that upgrades to it",
};

/**
 * Returns all sides measured to one end: the requested one, or the nearest of theirs. Comparing a side that ends with
 * the publication with one that ends with the merge would show the difference between these ends as an improvement.
 * @param asked the end that the user requested; undefined for none
 * @throws {Failure} if a stored report has another end, or the sides are of different packages or owners
 */
export async function alignSides(
  all: readonly WindowSide[],
  asked: Until | undefined,
): Promise<readonly WindowSides[]> {
  const until = asked ?? commonEnd(all.map(({ sides }) => sides.until));
  for (const side of all)
    if (side.kind === "kept" && side.sides.until !== until)
      throw otherEnd(side, until, asked);
  const [first] = all;
  const other = all.find(
    ({ sides }) => first && narrowed(sides) !== narrowed(first.sides),
  );
  if (first && other)
    throw usageFailure(
      `${first.name} is of ${narrowed(first.sides)}, and ${other.name} of ${narrowed(other.sides)}`,
      { hint: "give both the same --package and --team" },
    );
  const sides: WindowSides[] = [];
  for (const side of all)
    sides.push(
      side.kind === "events" && side.sides.until !== until
        ? await side.measureTo(until)
        : side.sides,
    );
  return sides;
}

function otherEnd(
  { name, sides }: WindowSide,
  until: Until,
  asked: Until | undefined,
) {
  const [own, wanted] = [END_WORDS[sides.until], END_WORDS[until]];
  return asked
    ? usageFailure(
        `${name} ends with ${own}, and the requested end is ${wanted}`,
        {
          hint: `--until ${sides.until} compares both up to ${own}, or create the report again with --until ${asked}`,
        },
      )
    : usageFailure(
        `${name} ends with ${own}, and the events next to it with ${wanted}: P90s of different ends cannot be compared`,
        {
          hint: `create the report again with \`metrics report --json --until ${until}\`, or name the folder of its events`,
        },
      );
}

function narrowed({ only }: WindowSides): string {
  const names = [only.package, only.team].filter((name) => name !== null);
  return names.length === 0 ? "all pull requests" : names.join(" and ");
}

import { commonEnd } from "@skein/delivery-metrics";
import type { Until, WindowSides } from "@skein/delivery-metrics";
import { usageFailure } from "@skein/reporting";

/** One side of a comparison. Events can be measured to every end that lies nearer, a kept report has the one that it has. */
export type WindowSide =
  | {
      readonly kind: "events";
      /** As it was typed. */
      readonly name: string;
      readonly sides: WindowSides;
      readonly measureTo: (until: Until) => WindowSides;
    }
  | {
      readonly kind: "kept";
      readonly name: string;
      readonly sides: WindowSides;
    };

/** Names the event that ends a change's way, in a sentence. */
export const END_WORDS: Readonly<Record<Until, string>> = {
  merged: "the merge",
  published: "the publication",
  upgraded: "the publication in the repository that takes it",
};

/**
 * Returns the sides, all measured to one end: the nearest of theirs. To compare one that ends with the publication with one that ends
 * with the merge would show the difference between these ends as an improvement.
 * @param asked the end that somebody asked for; undefined for none
 * @throws {Failure} where a kept report has another end, or is of another package or owner
 */
export function alignSides(
  all: readonly WindowSide[],
  asked: Until | undefined,
): readonly WindowSides[] {
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
  return all.map((side) =>
    side.kind === "events" && side.sides.until !== until
      ? side.measureTo(until)
      : side.sides,
  );
}

function otherEnd(
  { name, sides }: WindowSide,
  until: Until,
  asked: Until | undefined,
) {
  const [own, wanted] = [END_WORDS[sides.until], END_WORDS[until]];
  return asked
    ? usageFailure(
        `${name} ends with ${own}, and the end that was asked for is ${wanted}`,
        {
          hint: `--until ${sides.until} compares both up to ${own}, or make the report again with --until ${asked}`,
        },
      )
    : usageFailure(
        `${name} ends with ${own}, and the events beside it with ${wanted}: P90s of different ends cannot be compared`,
        {
          hint: `make the report again with \`metrics report --json --until ${until}\`, or name the folder of its events`,
        },
      );
}

function narrowed({ only }: WindowSides): string {
  const names = [only.package, only.team].filter((name) => name !== null);
  return names.length === 0 ? "all pull requests" : names.join(" and ");
}

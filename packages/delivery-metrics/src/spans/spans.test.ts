import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { both, lengthOf, minus, union } from "./spans.js";
import type { Span, Spans } from "./spans.js";

const END = 30;
const span = fc.record({
  from: fc.nat({ max: END }),
  to: fc.nat({ max: END }),
});
const list = fc.array(span, { maxLength: 8 });

/** Returns for each moment whether it is covered. */
function moments(spans: readonly Span[]): boolean[] {
  return Array.from({ length: END }, (_, moment) =>
    spans.some(({ from, to }) => from <= moment && moment < to),
  );
}

/** Returns whether the spans are in order, separate and not empty. */
function isNormal(spans: Spans): boolean {
  return spans.every(
    ({ from, to }, index) =>
      from < to && (index === 0 || (spans[index - 1]?.to ?? 0) < from),
  );
}

test("union, minus and both agree with a computation for each moment", () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      const these = union(a);
      const those = union(b);
      const results = [
        [union([...a, ...b]), (x: boolean, y: boolean) => x || y],
        [minus(these, those), (x: boolean, y: boolean) => x && !y],
        [both(these, those), (x: boolean, y: boolean) => x && y],
      ] as const;
      const inA = moments(a);
      const inB = moments(b);
      const found = results.map(([spans]) => ({
        moments: moments(spans),
        isNormal: isNormal(spans),
        length: lengthOf(spans),
      }));
      const expected = results.map(([, rule]) => {
        const covered = inA.map((each, index) =>
          rule(each, inB[index] ?? false),
        );
        const length = covered.filter(Boolean).length;
        return { moments: covered, isNormal: true, length };
      });
      expect(found).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

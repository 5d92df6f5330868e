import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Reason } from "../reason.js";
import type { Link, Passage, Reading } from "./reader-links.js";
import { openSearch } from "./reader-search.js";

const FILES = Array.from({ length: 9 }, (_, at) => `f${at}`);
const file = fc.constantFrom(...FILES);

const passage = fc
  .record({ file, isGuess: fc.boolean() })
  .map(({ file, isGuess }): Passage => {
    const referrer = { file, line: 1, specifier: isGuess ? "*" : "./x" };
    return { file, referrer, isGuess };
  });
const reading = fc
  .record({
    name: fc.constantFrom("a", "b", "c"),
    isGuess: fc.boolean(),
    spreads: fc.boolean(),
    line: fc.nat(9),
    through: fc.boolean(),
  })
  .map(({ line, through, ...rest }): Reading => {
    const referrer = { file: `${rest.name}/index.js`, line, specifier: "x" };
    return {
      ...rest,
      ...(through && { through: { file: "aside", line, specifier: "y" } }),
      reasonOf: (path) => ({
        kind: "referenced-file",
        path,
        referrer,
        ...(!rest.spreads && { testOnly: true }),
      }),
    };
  });
const linksOfFiles = fc.array(
  fc.array(fc.oneof({ weight: 4, arbitrary: passage }, reading), {
    maxLength: 4,
  }),
  { minLength: FILES.length, maxLength: FILES.length },
);

/** One way to a package. */
interface Found {
  readonly reading: Reading;
  readonly isGuess: boolean;
  readonly reason: Reason;
}

/** Returns the same by a search that enters every file: first those without an open end on the way, then the others. */
function searchAll(
  path: string,
  linksOf: (file: string) => readonly Link[],
): Map<string, Reason> {
  const found = new Map<string, Found[]>();
  const sure = new Map<string, Passage["referrer"][]>([[path, []]]);
  const unsure = new Map<string, Passage["referrer"][]>();
  for (const files of [sure, unsure])
    for (const [file, chain] of files) {
      if (files === unsure && sure.has(file)) continue;
      for (const link of linksOf(file))
        if ("name" in link) {
          const via = [...(link.through ? [link.through] : []), ...chain];
          const reason = {
            ...link.reasonOf(path),
            ...(via.length > 0 && { via }),
          };
          const isGuess = files === unsure || link.isGuess;
          const known = found.get(link.name) ?? [];
          found.set(link.name, [...known, { reading: link, isGuess, reason }]);
        } else {
          const next = files === unsure || link.isGuess ? unsure : sure;
          if (!next.has(link.file))
            next.set(link.file, [link.referrer, ...chain]);
        }
    }
  return new Map(
    Array.from(found, ([name, all]): [string, Reason] => {
      const best = all.find(({ reading }) => reading.spreads) ?? all[0];
      if (!best) throw new Error("it has a reason");
      const isGuess = all.every((each) => each.isGuess);
      return [name, { ...best.reason, ...(isGuess && { isGuess: true }) }];
    }),
  );
}

test("files that a search doesn't enter change nothing", () => {
  fc.assert(
    fc.property(linksOfFiles, (all) => {
      const linksOf = (file: string) => all[FILES.indexOf(file)] ?? [];
      const readersOf = openSearch(linksOf);
      for (const file of FILES)
        expect(readersOf(file)).toEqual(searchAll(file, linksOf));
    }),
    { numRuns: 500 },
  );
});

test("a search leaves a file when nothing is missing", () => {
  const size = 3000;
  let followed = 0;
  const passageTo = (name: string): Passage => ({
    get file() {
      followed++;
      return name;
    },
    referrer: { file: name, line: 1, specifier: "./x" },
    isGuess: false,
  });
  const reader: Reading = {
    name: "a",
    isGuess: false,
    spreads: true,
    reasonOf: (path) => ({
      kind: "referenced-file",
      path,
      referrer: { file: "a/x.js", line: 1, specifier: "../hub" },
    }),
  };
  // Each file leads to the next one and to a hub, which leads to each of them. Only the hub has a reader.
  const hub = [
    reader,
    ...Array.from({ length: size }, (_, at) => passageTo(`${at}`)),
  ];
  const readersOf = openSearch((file) =>
    file === "hub"
      ? hub
      : [passageTo("hub"), passageTo(`${(Number(file) + 1) % size}`)],
  );
  for (let at = 0; at < size; at++)
    expect([...readersOf(`${at}`).keys()]).toEqual(["a"]);
  // Linear: a search that enters each file follows 9 million references.
  expect(followed).toBeLessThan(40 * size);
});

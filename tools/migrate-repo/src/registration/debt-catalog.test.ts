import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readCatalogs } from "@skein/versions";
import { addToCatalogs } from "./debt-catalog.js";

const entry = (name: string, ident: string, range: string) => ({
  name,
  ident,
  range,
  isNew: true,
});
const REACT = entry("lib", "react", "^17.0.0");

test.each<[string, string, string | undefined]>([
  [
    "the first named catalog",
    "nodeLinker: pnp\n\ncatalog:\n  react: ^18.0.0 # all of us\n",
    "nodeLinker: pnp\n\ncatalog:\n  react: ^18.0.0 # all of us\n\ncatalogs:\n  lib:\n    react: ^17.0.0\n",
  ],
  [
    "a new one next to others, with unchanged comments",
    "catalogs:\n  old:\n    zod: ^2.0.0 # why\n\n# the rest\nnodeLinker: pnp\n",
    "catalogs:\n  old:\n    zod: ^2.0.0 # why\n  lib:\n    react: ^17.0.0\n\n# the rest\nnodeLinker: pnp\n",
  ],
  [
    "an existing one",
    'catalogs:\n  lib:\n    "zod": ^2.0.0\n  z:\n    y: 1.0.0',
    'catalogs:\n  lib:\n    "zod": ^2.0.0\n    react: ^17.0.0\n  z:\n    y: 1.0.0\n',
  ],
  ["on one line", "catalogs: { old: { zod: ^2.0.0 } }\n", undefined],
  ["broken", "catalogs:\n  old: [\n", undefined],
])("%s", (_, before, after) => {
  expect(addToCatalogs(before, [REACT])).toBe(after);
});

const name = fc.constantFrom("lib", "old", "@acme/x", "1", "true");
const range = fc.constantFrom(
  "^1.0.0",
  "1",
  ">=1 <2",
  "npm:y@^2",
  "~2.0.0-rc.1",
);
const catalogs = fc.dictionary(
  name,
  fc.dictionary(name, range, { minKeys: 1 }),
);

test("existing lines don't change, and the added ones are parsed again", () => {
  fc.assert(
    fc.property(
      catalogs,
      fc.uniqueArray(fc.record({ name, ident: name, range }), {
        selector: ({ name: one, ident }) => `${one} ${ident}`,
      }),
      (all, wanted) => {
        const text = `catalogs:\n${Object.entries(all)
          .map(
            ([one, ranges]) =>
              `  ${JSON.stringify(one)}:\n${Object.entries(ranges)
                .map(
                  ([ident, value]) =>
                    `    ${JSON.stringify(ident)}: ${JSON.stringify(value)} # c\n`,
                )
                .join("")}`,
          )
          .join("")}# end\nnodeLinker: pnp\n`;
        const before =
          Object.keys(all).length === 0
            ? text.replace("catalogs:\n", "")
            : text;
        const entries = wanted
          .filter(
            ({ name: one, ident }) => !Object.hasOwn(all[one] ?? {}, ident),
          )
          .map((one) => ({ ...one, isNew: true }));
        const after = addToCatalogs(before, entries) ?? "";
        const lines = new Set(after.split("\n"));
        expect(before.split("\n").every((line) => lines.has(line))).toBe(true);
        const expected = new Map(
          [...readCatalogs(before)].map(([one, ranges]) => [
            one,
            new Map(ranges),
          ]),
        );
        for (const one of entries)
          expected.set(
            one.name,
            new Map(expected.get(one.name)).set(one.ident, one.range),
          );
        expect(readCatalogs(after)).toEqual(expected);
      },
    ),
  );
});

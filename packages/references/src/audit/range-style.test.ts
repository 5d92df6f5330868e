import { expect, test } from "@jest/globals";
import { rangeFor } from "./range-style.js";

type Fields = Readonly<Record<string, Readonly<Record<string, string>>>>;

test.each<[string, Fields, Fields, string]>([
  ["no package declares any", {}, {}, "workspace:^"],
  ["neighbours", { dependencies: { b: "workspace:*" } }, {}, "workspace:*"],
  ["neighbours", { devDependencies: { b: "^1.0.0" } }, {}, "^2.3.4"],
  ["neighbours", { dependencies: { b: "1.0.0" } }, {}, "2.3.4"],
  [
    "neighbours",
    { dependencies: { b: "workspace:~1.0.0" } },
    {},
    "workspace:~2.3.4",
  ],
  ["neighbours", { dependencies: { b: "*" } }, {}, "*"],
  [
    "most neighbours",
    {
      dependencies: { b: "~1.0.0", c: "workspace:^", d: "workspace:^" },
    },
    {},
    "workspace:^",
  ],
  [
    "neighbours before others",
    { dependencies: { b: "workspace:~" } },
    { dependencies: { c: "^1.0.0", d: "^1.0.0" } },
    "workspace:~",
  ],
  [
    "neighbours in the same field",
    {
      dependencies: { b: "^1.0.0" },
      devDependencies: { c: "*", d: "*" },
    },
    {},
    "^2.3.4",
  ],
  ["others", {}, { dependencies: { c: "^1.0.0" } }, "^2.3.4"],
  [
    "no style: peers, paths, packages of the registry",
    {
      peerDependencies: { b: ">=1" },
      dependencies: { b: "link:../b", react: "^19.0.0" },
    },
    {},
    "workspace:^",
  ],
])("%s: %j, %j: %s", (_, fields, other, range) => {
  const manifest = (name: string, more: object) =>
    [
      name,
      {
        path: `${name}/package.json`,
        text: JSON.stringify({ name, version: "2.3.4", ...more }),
      },
    ] as const;
  const manifests = new Map([
    manifest("a", fields),
    manifest("b", other),
    manifest("c", {}),
    manifest("d", {}),
    manifest("to", {}),
  ]);
  expect(rangeFor("to", "dependencies", manifests.get("a"), manifests)).toBe(
    range,
  );
});

test("a package without a version has Yarn's own range", () => {
  const text = '{ "dependencies": { "to": "^1.0.0" } }';
  const from = { path: "a/package.json", text };
  const to = { path: "to/package.json", text: "{}" };
  const manifests = new Map([
    ["a", from],
    ["to", to],
  ]);
  expect(rangeFor("to", "dependencies", from, manifests)).toBe("workspace:^");
});

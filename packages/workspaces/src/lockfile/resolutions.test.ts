import { expect, test } from "@jest/globals";
import { parseResolutions, type ResolutionRule } from "./resolutions.js";

test.each<[pattern: string, to: string, rule: ResolutionRule]>([
  ["a", "1.0.0", { ident: "a", to: "npm:1.0.0" }],
  ["@s/a", "^1", { ident: "@s/a", to: "npm:^1" }],
  ["a", "workspace:packages/a", { ident: "a", to: "workspace:packages/a" }],
  ["a", "npm:b@2", { ident: "a", to: "npm:b@2" }],
  ["a", "portal:./vendor/a", { ident: "a", to: "portal:./vendor/a" }],
  ["a@^1.0.0", "1.2.3", { ident: "a", range: "npm:^1.0.0", to: "npm:1.2.3" }],
  ["@s/a@npm:^1", "2", { ident: "@s/a", range: "npm:^1", to: "npm:2" }],
  ["a/b", "1", { from: { ident: "a" }, ident: "b", to: "npm:1" }],
  ["@s/a/b", "1", { from: { ident: "@s/a" }, ident: "b", to: "npm:1" }],
  ["a/@s/b", "1", { from: { ident: "a" }, ident: "@s/b", to: "npm:1" }],
  ["@s/a/@s/b", "1", { from: { ident: "@s/a" }, ident: "@s/b", to: "npm:1" }],
  [
    "a@npm:^1/b@2",
    "3",
    {
      from: { ident: "a", reference: "npm:^1" },
      ident: "b",
      range: "npm:2",
      to: "npm:3",
    },
  ],
  [
    "@s/a@1.0.0/@s/b",
    "3",
    { from: { ident: "@s/a", reference: "1.0.0" }, ident: "@s/b", to: "npm:3" },
  ],
  ["**/b", "1", { ident: "b", to: "npm:1" }],
  ["**/@s/b", "1", { ident: "@s/b", to: "npm:1" }],
])("%s: %s", (pattern, to, rule) => {
  expect(parseResolutions({ [pattern]: to })).toEqual([rule]);
});

test("rules stay in their order: the first that fits counts", () => {
  expect(parseResolutions({ "a/b": "1", b: "2" }).map(({ to }) => to)).toEqual([
    "npm:1",
    "npm:2",
  ]);
});

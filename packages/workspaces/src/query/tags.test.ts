import { expect, test } from "@jest/globals";
import { tagReader } from "./tags.js";

const tagsOf = tagReader({
  "@acme/web": ["app", "public"],
  "@acme/*": ["acme", "public"],
  "*-cli": ["tool"],
});

test.each([
  ["@acme/web", ["app", "public", "acme"]],
  ["@acme/x-cli", ["acme", "public", "tool"]],
  ["other", []],
])("%s has the tags %j", (name, tags) => {
  expect(tagsOf(name)).toEqual(tags);
});

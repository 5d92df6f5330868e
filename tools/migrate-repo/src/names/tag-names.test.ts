import { expect, test } from "@jest/globals";
import { decideTagNames } from "./tag-names.js";

const FORMAT = "{name}@{version}";
const decide = (
  tags: readonly string[],
  isPart: boolean,
  names = ["@acme/a"],
) => {
  const { chosen, nameOf } = decideTagNames(tags, FORMAT, names, isPart);
  return tags.flatMap((tag) =>
    chosen.has(tag) ? [`${tag} -> ${nameOf(tag)}`] : [],
  );
};

test.each<[string, readonly string[], boolean, readonly string[]]>([
  [
    "a whole repository",
    ["v1.0.0", "1.0.1", "nightly"],
    false,
    [
      "v1.0.0 -> @acme/a@1.0.0",
      "1.0.1 -> @acme/a@1.0.1",
      "nightly -> @acme/a@nightly",
    ],
  ],
  [
    "two tags with the same version",
    ["1.0.0", "v1.0.0"],
    false,
    ["1.0.0 -> @acme/a@1.0.0", "v1.0.0 -> @acme/a@v1.0.0"],
  ],
  [
    "tags with package names keep them, in any order",
    ["v1.0.0", "@acme/a@1.0.0"],
    false,
    ["v1.0.0 -> @acme/a@v1.0.0", "@acme/a@1.0.0 -> @acme/a@1.0.0"],
  ],
  [
    "a part of a repository whose tags have package names",
    ["1.0.0", "v300.0.0", "@acme/a@1.0.0", "@acme/ab@1.0.0", "b@2.0.0"],
    true,
    ["@acme/a@1.0.0 -> @acme/a@1.0.0"],
  ],
  [
    "a part of such a repository, without tags of its name",
    ["v1.0.0", "b@2.0.0", "@acme/b@2.0.0"],
    true,
    ["v1.0.0 -> @acme/a@1.0.0"],
  ],
])("%s", (_, tags, isPart, expected) =>
  expect(decide(tags, isPart)).toEqual(expected),
);

test("several packages of one repository each keep their own tags", () => {
  expect(
    decide(["@acme/a@1.0.0", "b@2.0.0", "c@3.0.0"], true, ["@acme/a", "b"]),
  ).toEqual(["@acme/a@1.0.0 -> @acme/a@1.0.0", "b@2.0.0 -> b@2.0.0"]);
});

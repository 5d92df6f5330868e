import { expect, test } from "@jest/globals";
import { Failure } from "@skein/reporting";
import { parseProof, parseRecord } from "./record-format.js";

const ID = "0123456789".repeat(4);

/** A record of the first version, without the members that it didn't have. */
const RECORD = {
  version: 1,
  history: "graft",
  branches: [],
  tags: "reachable",
  tagFormat: "{name}@{version}",
  trailer: false,
  keepOriginals: true,
  name: "@acme/money",
  source: { fetchFrom: "https://git.example/money.git" },
  branch: "main",
  placements: [{ from: "", to: "packages/money" }],
  tip: { old: ID, new: ID },
  tips: [ID],
  madeTags: [{ from: "refs/tags/v1", to: "refs/tags/@acme/money@1", id: ID }],
  madeBranches: [],
  removed: ["lerna.json"],
  receipt: {
    figures: {
      commits: 2,
      merges: 0,
      authors: 1,
      signatures: 0,
      pruned: 0,
      mended: 0,
      qualified: 0,
    },
    treesCompared: 2,
    files: 3,
  },
};

const parse = (record: object) =>
  parseRecord(Buffer.from(JSON.stringify(record)));

test("members of later versions are preserved, because a sync writes the record again", () => {
  const later = { ...RECORD, later: { any: "thing" } };
  expect(parse(later)).toEqual(later);
});

test.each([
  ["of another version", { version: 2 }, "migration.json.version is not 1"],
  [
    "without a member",
    { tip: undefined },
    "migration.json.tip isn't an object",
  ],
  [
    "whose folder is outside of the workspace",
    { placements: [{ from: "", to: "packages/../../home" }] },
    "packages/../../home isn't a path of a repository",
  ],
  [
    "whose folder is absolute",
    { placements: [{ from: "", to: "/etc" }] },
    "/etc isn't a path of a repository",
  ],
  [
    "with an option in the place of a commit",
    { tip: { old: "--all", new: ID } },
    "an id has another form",
  ],
])("a record %s is refused", (_, change, problem) => {
  expect(() => parse({ ...RECORD, ...change })).toThrow(
    new Failure(`the record of a migration can't be read: ${problem}`),
  );
});

test("text that isn't JSON is refused with a way out", () => {
  let failure: unknown;
  try {
    parseProof(Buffer.from("<<<<<<<"));
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(Failure);
  expect((failure as Failure).hint).toContain("fetch it again");
});

import { expect, test } from "@jest/globals";
import { defaultRequest } from "../default-request.js";
import type { MigrationRequest } from "../migration.js";
import type { MigrationRecord } from "../record/record-format.js";
import { declaredOtherwise } from "./declared-otherwise.js";

const id = "1".repeat(40);
/** A record from before records had steps and a policy. */
const older: MigrationRecord = {
  version: 1,
  name: "@acme/lib",
  source: { fetchFrom: "https://github.com/acme/lib", slug: "acme/lib" },
  branch: "main",
  history: "graft",
  placements: [{ from: "", to: "packages/lib" }],
  branches: ["f/*"],
  tags: "reachable",
  tagFormat: "{name}@{version}",
  qualifyRefs: undefined,
  trailer: false,
  keepOriginals: true,
  tip: { old: id, new: id },
  tips: [id],
  madeTags: [],
  madeBranches: [],
  removed: [],
  receipt: {
    figures: {
      commits: 1,
      merges: 0,
      authors: 1,
      signatures: 0,
      pruned: 0,
      mended: 0,
      qualified: 0,
    },
    treesCompared: 1,
    files: 1,
  },
};
const record: MigrationRecord = {
  ...older,
  skip: ["ci"],
  versions: "keep",
};
const request: MigrationRequest = {
  ...defaultRequest("acme/lib"),
  branches: ["f/*"],
  skip: ["ci"],
  versions: "keep",
};

test.each<[string, Partial<MigrationRequest>, readonly string[]]>([
  ["nothing", {}, []],
  ["the same by another word", { ref: "main", to: "packages/lib/" }, []],
  ["another folder", { to: "libs/x" }, ["to libs/x, it was packages/lib"]],
  [
    "one additional glob",
    { branches: ["f/*", "g"] },
    ["branches f/*, g, it was f/*"],
  ],
  [
    "the defaults",
    { skip: [], versions: "conform" },
    ["skip nothing, it was ci", "versions conform, it was keep"],
  ],
  [
    "references",
    { qualifyRefs: "acme/lib" },
    ["qualifyRefs acme/lib, it was nothing"],
  ],
])("declared otherwise: %s", (_, change, expected) => {
  expect(declaredOtherwise({ ...request, ...change }, record)).toEqual(
    expected.map((words) => `differs from the migration: ${words}`),
  );
});

test("fields that older records lack are not compared", () => {
  expect(
    declaredOtherwise({ ...request, skip: [], versions: "highest" }, older),
  ).toEqual([]);
});

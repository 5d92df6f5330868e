import { expect, test } from "@jest/globals";
import { formatEvent } from "../events/line.js";
import { parseEvents } from "../events/ndjson.js";
import { readGraphqlPull } from "./graphql-pull.js";
import { pullEvents } from "./pull-events.js";
import { readRestPull, readRestTimeline } from "./rest-pull.js";
import { Row } from "./row.js";

const sha = (digit: string) => digit.repeat(40);
const at = (minutes: number) =>
  new Date(Date.UTC(2026, 0, 5, 12, minutes)).toISOString();

const ROW = {
  id: "PR_1",
  number: 12,
  title: "Faster\nlists",
  isDraft: false,
  isCrossRepository: false,
  createdAt: at(0),
  updatedAt: at(59),
  closedAt: at(50),
  mergedAt: at(50),
  baseRefName: "main",
  headRefName: "faster",
  headRefOid: sha("b"),
  author: { __typename: "Bot", login: "renovate" },
  mergeCommit: {
    oid: sha("c"),
    messageHeadline: "Faster lists (#12)",
    parents: { totalCount: 1 },
  },
  commits: { nodes: [{ commit: { messageHeadline: "x" } }] },
  files: { pageInfo: { hasNextPage: false }, nodes: [{ path: "a\tb" }] },
  timelineItems: {
    pageInfo: { hasNextPage: true, endCursor: "c1" },
    nodes: [
      { __typename: "ReadyForReviewEvent", createdAt: at(5) },
      {
        __typename: "PullRequestReview",
        fullDatabaseId: "5000000001",
        submittedAt: at(10),
        state: "DISMISSED",
        author: null,
      },
      {
        __typename: "HeadRefForcePushedEvent",
        createdAt: at(15),
        afterCommit: { oid: sha("b") },
      },
      {
        __typename: "ReviewDismissedEvent",
        createdAt: at(16),
        previousReviewState: "APPROVED",
        review: { fullDatabaseId: "5000000001" },
      },
      // The branch was forced back and forth. The commit had already been pushed the first time.
      {
        __typename: "HeadRefForcePushedEvent",
        createdAt: at(17),
        afterCommit: { oid: sha("b") },
      },
      { __typename: "PullRequestReview", submittedAt: null, state: "PENDING" },
      { __typename: "AddedToMergeQueueEvent", createdAt: at(30) },
      {
        __typename: "RemovedFromMergeQueueEvent",
        createdAt: at(49),
        reason: "merge",
      },
      { __typename: "ClosedEvent", createdAt: at(50) },
      { __typename: "SomethingNew", createdAt: at(51) },
      null,
    ],
  },
};

/** Returns the events of a row, one line each, without the members that are the same in all. */
function reported(row: unknown): string[] {
  const read = readGraphqlPull(Row.of(row) ?? fail());
  return pullEvents("o/n", read?.facts ?? fail()).map((event) => {
    const { kind, at: when, ...rest } = event;
    const own = Object.entries(rest)
      .filter(([name]) => !["repository", "pull"].includes(name))
      .map(([name, value]) => `${name}=${String(value)}`);
    return [new Date(when).toISOString().slice(14, 16), kind, ...own].join(" ");
  });
}
function fail(): never {
  throw new Error("it was not read");
}

test("all events of a pull request are read", () => {
  expect(reported(ROW)).toEqual([
    "00 pull-opened author=renovate[bot] bot=true branch=faster base=main draft=true fork=false title=Faster lists",
    "05 pull-ready",
    `10 pull-reviewed review=5000000001 reviewer=ghost bot=false state=approved`,
    `15 pull-pushed sha=${sha("b")} forced=true`,
    "16 pull-review-dismissed review=5000000001",
    "30 queue-entered",
    "49 queue-left reason=merge",
    `50 pull-merged base=main sha=${sha("c")} head=${sha("b")} method=queue`,
  ]);
});

test("an incomplete list has the place where it continues; file names are exact", () => {
  const read = readGraphqlPull(Row.of(ROW) ?? fail());
  expect(read).toMatchObject({
    id: "PR_1",
    files: ["a\tb"],
    moreTimeline: "c1",
    moreFiles: undefined,
  });
});

const bare = { ...ROW, timelineItems: { nodes: [] } };
const commit = (headline: string, parents: number) => ({
  oid: sha("c"),
  messageHeadline: headline,
  parents: { totalCount: parents },
});
test.each([
  [
    "a merge commit",
    commit("Merge pull request #12 from o/faster", 2),
    "merge",
  ],
  ["a squash", commit("Faster lists (#12)", 1), "squash"],
  ["a rebase keeps the last commit's words", commit("x", 1), "rebase"],
  ["a squash under another title", commit("Something", 1), "unknown"],
  ["no commit is known", null, "unknown"],
])("merge method: %s", (_, mergeCommit, method) => {
  expect(reported({ ...bare, mergeCommit }).at(-1)).toMatch(
    new RegExp(`pull-merged .*method=${method}$`),
  );
});

test.each([
  [
    "converted to a draft later, so it wasn't one before",
    "ConvertToDraftEvent",
    true,
    "false",
  ],
  [
    "made ready later, so it was a draft before",
    "ReadyForReviewEvent",
    false,
    "true",
  ],
  ["never changed", "ReopenedEvent", true, "true"],
])("drafts: %s", (_, typename, isDraft, draft) => {
  const nodes = [{ __typename: typename, createdAt: at(5) }];
  expect(reported({ ...bare, isDraft, timelineItems: { nodes } })[0]).toContain(
    `draft=${draft}`,
  );
});

test("closing and reopening are read; without a timeline, the closing time counts", () => {
  const open = { ...bare, mergedAt: null, mergeCommit: null };
  const nodes = [
    { __typename: "ClosedEvent", createdAt: at(5) },
    { __typename: "ReopenedEvent", createdAt: at(6) },
    { __typename: "ClosedEvent", createdAt: at(50) },
  ];
  expect(reported({ ...open, timelineItems: { nodes } }).slice(1)).toEqual([
    "05 pull-closed",
    "06 pull-reopened",
    "50 pull-closed",
  ]);
  expect(reported(open).slice(1)).toEqual(["50 pull-closed"]);
});

test("a revert names the reverted pull request, by its branch or its text", () => {
  const revert = {
    ...bare,
    title: 'Revert "Slower lists"',
    headRefName: "revert-7-slower",
  };
  const read = readGraphqlPull(Row.of(revert) ?? fail());
  const events = pullEvents("o/n", read?.facts ?? fail());
  expect(events.at(-1)).toMatchObject({
    kind: "pull-reverted",
    pull: 7,
    by: 12,
  });
  expect(
    reported({ ...revert, mergedAt: null }).some((line) =>
      line.includes("revert"),
    ),
  ).toBe(true);
  expect(reported({ ...revert, mergedAt: null })).toHaveLength(2);
  const renamed = (body: string) =>
    reported({ ...revert, headRefName: "back", body }).filter((line) =>
      line.includes("pull-reverted"),
    );
  expect(renamed("Reverts O/N#7\n\nIt was slower.")).toHaveLength(1);
  expect(renamed("Reverts #7")).toHaveLength(1);
  expect(renamed("Reverts other/n#7")).toEqual([]);
  expect(renamed("As slow as #7")).toEqual([]);
});

test("both APIs result in the same events", () => {
  const fork = { ...ROW, isCrossRepository: true, mergeCommit: commit("y", 1) };
  const graphql = readGraphqlPull(
    Row.of({
      ...fork,
      timelineItems: { nodes: ROW.timelineItems.nodes.slice(0, 8) },
    }) ?? fail(),
  );
  const user = { login: "renovate[bot]", type: "Bot" };
  const timeline = [
    { event: "ready_for_review", created_at: at(5) },
    {
      event: "reviewed",
      id: 5000000001,
      submitted_at: at(10),
      state: "dismissed",
      user: null,
    },
    { event: "head_ref_force_pushed", created_at: at(15), commit_id: sha("b") },
    {
      event: "review_dismissed",
      created_at: at(16),
      dismissed_review: { review_id: 5000000001, state: "approved" },
    },
    { event: "added_to_merge_queue", created_at: at(30) },
    { event: "removed_from_merge_queue", created_at: at(49), reason: "merge" },
    { event: "labeled", created_at: at(50) },
  ].flatMap((row) => readRestTimeline(Row.of(row) ?? fail()) ?? []);
  const rest = readRestPull(
    Row.of({
      number: 12,
      title: "Faster\nlists",
      draft: false,
      created_at: at(0),
      closed_at: at(50),
      merged_at: at(50),
      merge_commit_sha: sha("c"),
      user,
      base: { ref: "main", repo: { full_name: "o/n" } },
      // A fork that was deleted.
      head: { ref: "faster", sha: sha("b"), repo: null },
    }) ?? fail(),
    timeline,
  );
  expect(pullEvents("o/n", rest ?? fail())).toEqual(
    pullEvents("o/n", graphql?.facts ?? fail()),
  );
});

test("a line with any name can be read again", () => {
  const read = readGraphqlPull(
    Row.of({
      ...ROW,
      title: "\u0000\u001b[31m" + "x".repeat(5000),
      headRefName: "a\u007fb",
      author: { login: "\n" },
    }) ?? fail(),
  );
  const events = pullEvents("o/n", read?.facts ?? fail());
  const lines = events.map(formatEvent).join("");
  expect(parseEvents(lines)).toEqual({ events, strays: [] });
});

test.each([
  [{}],
  [{ ...ROW, number: "many" }],
  [{ ...ROW, createdAt: "soon" }],
  [{ ...ROW, id: 5 }],
])("a row without its required members is skipped: %#", (row) => {
  expect(readGraphqlPull(Row.of(row) ?? fail())).toBeUndefined();
});

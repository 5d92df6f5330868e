import { expect, test } from "@jest/globals";
import { configurationEvents, migrationEvents } from "./annotations.js";
import { Row } from "./row.js";

const sha = (digit: string) => digit.repeat(40);
const iso = (minute: number) =>
  new Date(Date.UTC(2026, 0, 5, 12, minute)).toISOString();

function commit(digit: string, minute: number, more: object = {}): Row {
  const row = Row.of({
    oid: sha(digit),
    committedDate: iso(minute),
    messageHeadline: "Raise the target",
    message: "Raise the target\n\nBecause.",
    author: { name: "Ann" },
    parents: { totalCount: 1 },
    associatedPullRequests: { nodes: [] },
    ...more,
  });
  if (!row) throw new Error("an object is a row");
  return row;
}

const broughtBy = (more: object) => ({
  associatedPullRequests: {
    nodes: [
      {
        number: 12,
        title: "Longer jobs",
        mergedAt: iso(50),
        author: { __typename: "User", login: "ann" },
        ...more,
      },
    ],
  },
});

test("a change of the configuration has the time of its pull request's merge, and counts once for all commits and paths", () => {
  const byPath = new Map([
    [
      "skein.json",
      [commit("a", 5, broughtBy({})), commit("b", 6, broughtBy({}))],
    ],
    [".github/workflows", [commit("a", 5, broughtBy({})), commit("c", 9)]],
  ]);
  const of = { kind: "annotated", repository: "o/n", what: "configuration" };
  expect(configurationEvents("o/n", byPath)).toEqual([
    {
      ...of,
      at: Date.parse(iso(50)),
      key: "#12",
      text: "Longer jobs (#12) (.github/workflows, skein.json)",
    },
    {
      ...of,
      at: Date.parse(iso(9)),
      key: sha("c"),
      text: "Raise the target (.github/workflows)",
    },
  ]);
});

test("updates of actions by programs aren't changes of the configuration; an open pull request doesn't count", () => {
  const reported = (each: Row) =>
    configurationEvents("o/n", new Map([["skein.json", [each]]])).map(
      ({ key }) => key,
    );
  const bot = { author: { __typename: "Bot", login: "renovate" } };
  expect(reported(commit("a", 5, broughtBy(bot)))).toEqual([]);
  expect(
    reported(commit("a", 5, { author: { name: "renovate[bot]" } })),
  ).toEqual([]);
  expect(reported(commit("a", 5, broughtBy({ mergedAt: null })))).toEqual([
    sha("a"),
  ]);
});

test("a pushed migration is recognised only by the merge of migrate-repo", () => {
  const message = (title: string) =>
    `${title}\n\n12 commits of main, by graft.\n\nMigrated-Package: @acme/ui\nMigrated-From: acme/ui@${sha("d")}\nMigrated-To: ${sha("e")}\n`;
  const title = "Migrate acme/ui to packages/ui";
  const merge = { message: message(title), parents: { totalCount: 2 } };
  const reported = (more: object) =>
    migrationEvents("o/n", [commit("a", 5, more)]).map(({ text }) => text);
  expect(reported(merge)).toEqual([title]);
  expect(reported({ ...merge, parents: { totalCount: 1 } })).toEqual([]);
  expect(reported({ ...merge, message: message("Sync packages/ui") })).toEqual(
    [],
  );
  expect(reported({ ...merge, message: "Migrate tests to Jest\n" })).toEqual(
    [],
  );
  // The pull request's own event reports it.
  expect(reported({ ...merge, ...broughtBy({}) })).toEqual([]);
});

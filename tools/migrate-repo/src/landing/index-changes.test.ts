import { expect, test } from "@jest/globals";
import {
  changedEntries,
  changesBack,
  changesForward,
  type AllEntries,
} from "./index-changes.js";

const A = "100644 a 0";
const B = "100644 b 0";
const C = "100644 c 0";

/** Returns a landing that adds, replaces and removes a file; `now` is the current index. */
const landing = (now: Readonly<Record<string, string>>): AllEntries => ({
  before: new Map(Object.entries({ replaced: A, removed: A, other: A })),
  after: new Map(Object.entries({ made: B, replaced: B, other: A })),
  now: new Map(Object.entries(now)),
});
const before = { replaced: A, removed: A, other: A };
const after = { made: B, replaced: B, other: A };

test("an index goes forward and back, except for entries that the user has changed", () => {
  const forth = (now: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      changedEntries(
        new Map(Object.entries(now)),
        changesForward(landing(now)),
      ),
    );
  const back = (now: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      changedEntries(new Map(Object.entries(now)), changesBack(landing(now))),
    );
  expect([forth(before), forth(after)]).toEqual([after, after]);
  expect([back(before), back(after)]).toEqual([before, before]);
  const users = { made: C, replaced: C, removed: C, mine: C };
  expect([forth(users), back(users)]).toEqual([users, users]);
});

test.each([
  ["as it was before the landing", before, []],
  ["as the landing writes it", after, ["replaced", "removed", "made"]],
  ["with other files", { replaced: C, removed: A, made: B }, ["made"]],
])(
  "an index that the landing has not written follows a commit %s",
  (_, head, paths) => {
    const changes = changesForward(
      landing(before),
      new Map(Object.entries(head)),
    );
    expect([...changes.keys()]).toEqual(paths);
  },
);

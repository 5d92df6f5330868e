import { describe, expect, test } from "@jest/globals";
import { parseLockfile } from "@skein/workspaces";
import { compareWithHome, movedResolutions } from "./compare-locks.js";
import { chooseGrafts, chooseMoreGrafts, graftLock } from "./graft-lock.js";
import { lockBuilder } from "./own-lock/own-lock.js";

describe("the lock graft", () => {
  const workspace = `# header

__metadata:
  version: 8

"a@npm:^1.0.0":
  version: 1.5.0
  resolution: "a@npm:1.5.0"
  dependencies:
    b: "npm:^1.0.0"
  languageName: node
  linkType: hard

"b@npm:^1.0.0":
  version: 1.0.0
  resolution: "b@npm:1.0.0"
  languageName: node
  linkType: hard

"lib@workspace:packages/lib":
  version: 0.0.0-use.local
  resolution: "lib@workspace:packages/lib"
  dependencies:
    a: "npm:^1.0.0"
    c: "npm:^3.0.0"
    d: "npm:^4.0.0"
  languageName: unknown
  linkType: soft
`;
  const own = () => {
    const lock = lockBuilder("npm", "package-lock.json");
    for (const [ident, range, version] of [
      ["a", "^1.0.0", "1.1.0"],
      ["b", "1.0.0", "1.0.0"],
      ["c", "^3.0.0", "3.0.1"],
      ["d", "github:x/d", "4.0.0"],
      ["e", "npm:real@^2.0.0", "2.0.1"],
    ] as const) {
      lock.add(ident, version);
      lock.describe(ident, range, version);
    }
    lock.add("c", "3.2.0");
    return lock.done();
  };

  test("the workspace's resolutions stay; others join an existing entry or get a new one", () => {
    const grafts = chooseGrafts(own(), parseLockfile(workspace));
    const text = graftLock(workspace, grafts);
    expect(text.slice(workspace.indexOf('"b@')))
      .toBe(`"b@npm:1.0.0, b@npm:^1.0.0":
  version: 1.0.0
  resolution: "b@npm:1.0.0"
  languageName: node
  linkType: hard

${workspace.slice(workspace.indexOf('"lib@'))}
"c@npm:^3.0.0":
  version: 3.0.1
  resolution: "c@npm:3.0.1"
  languageName: node
  linkType: hard

"e@npm:real@^2.0.0":
  version: 2.0.1
  resolution: "e@npm:real@2.0.1"
  languageName: node
  linkType: hard
`);
    expect(text.startsWith(workspace.slice(0, workspace.indexOf('"b@')))).toBe(
      true,
    );
  });

  test("newly resolved dependencies go back to a version that the package had", () => {
    const after = `${workspace}
"c@npm:^3.0.0":
  version: 3.9.0
  resolution: "c@npm:3.9.0"
`;
    const grafts = chooseMoreGrafts(
      own(),
      parseLockfile(workspace),
      parseLockfile(after),
    );
    expect(grafts).toEqual([{ ident: "c", range: "^3.0.0", version: "3.2.0" }]);
    expect(graftLock(after, grafts)).toContain(
      '"c@npm:^3.0.0":\n  version: 3.2.0\n',
    );
    expect(graftLock(after, grafts)).not.toContain("3.9.0");
  });

  test("moved resolutions, and drifted versions with their reasons", () => {
    const before = parseLockfile(workspace);
    const after =
      parseLockfile(`${workspace.replace('"b@npm:1.0.0"\n', '"b@npm:1.0.9"\n')}
"c@npm:^3.0.0":
  version: 3.9.0
  resolution: "c@npm:3.9.0"

"d@npm:^4.0.0":
  version: 4.4.0
  resolution: "d@npm:4.4.0"
`);
    expect(movedResolutions(before, after)).toEqual([
      {
        descriptor: "b@npm:^1.0.0",
        before: "b@npm:1.0.0",
        after: "b@npm:1.0.9",
      },
    ]);
    const { packages, drifts } = compareWithHome(
      own(),
      before,
      after,
      ["lib"],
      new Set(["d@npm:^4.0.0"]),
    );
    expect(packages).toBe(4);
    expect(
      drifts.map(
        ({ ident, had, has, because }) =>
          `${ident} ${had.join("|")} -> ${has} ${because}`,
      ),
    ).toEqual([
      "a 1.1.0 -> 1.5.0 workspace",
      "b 1.0.0 -> 1.0.9 workspace",
      "c 3.0.1|3.2.0 -> 3.9.0 unknown",
      "d 4.0.0 -> 4.4.0 aligned",
    ]);
  });
});

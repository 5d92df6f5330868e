import { describe, expect, test } from "@jest/globals";
import { matchPackages, peerFailure, peers } from "./peer.js";

describe("Turborepo's answer", () => {
  test.each([
    [
      '{"packageManager":"berry","packages":{"count":2,"items":[{"name":"//","path":""},{"name":"@m/a","path":"packages/a"}]}}',
      { kind: "folders", folders: ["packages/a"] },
    ],
    [
      '• turbo 2.11.11\n{"packages":{"count":1,"items":[{"name":"a","path":"packages\\\\a"}]}}\n',
      { kind: "folders", folders: ["packages/a"] },
    ],
    ['{"packages":{"items":[]}}', { kind: "folders", folders: [] }],
    ['{"packages":{"items":[{"name":"a"}]}}', undefined],
    ["{", undefined],
    ["No packages", undefined],
    ["", undefined],
  ])("%j", (stdout, answer) => {
    expect(peers.turbo.read(stdout)).toEqual(answer);
  });
});

describe("Nx's answer", () => {
  test.each([
    ['["a","@m/b"]\n', { kind: "names", names: ["a", "@m/b"] }],
    ["[]", { kind: "names", names: [] }],
    ["a warning\n[]", { kind: "names", names: [] }],
    ["[1]", undefined],
    ["{}", undefined],
  ])("%j", (stdout, answer) => {
    expect(peers.nx.read(stdout)).toEqual(answer);
  });
});

test("packages are found by folder or by name, and answers that match no package are listed separately", () => {
  const known = [
    { name: "root", dir: ".", aliases: [] },
    { name: "@m/b", dir: "packages/b", aliases: ["bee"] },
    { name: "@m/a", dir: "packages/a", aliases: [] },
  ];
  const folders = ["packages/b", "packages/a", "", "docs"];
  expect(matchPackages({ kind: "folders", folders }, known)).toEqual({
    packages: ["@m/a", "@m/b"],
    unmatched: ["docs"],
  });
  const names = ["root", "bee", "@m/a", "other"];
  expect(matchPackages({ kind: "names", names }, known)).toEqual({
    packages: ["@m/a", "@m/b"],
    unmatched: ["other"],
  });
});

test.each([
  [
    { exitCode: 1, stdout: "", stderr: "\n  x no turbo.json\n" },
    "turbo ended with exit code 1: x no turbo.json",
  ],
  [
    { exitCode: 0, stdout: "1\n2\n3\n4\n5", stderr: "" },
    "turbo printed something other than its list: 1 | 2 | 3 | 4",
  ],
  [{ exitCode: undefined, stdout: "", stderr: "" }, "turbo was ended"],
])("%j fails", (end, words) => {
  expect(peerFailure(peers.turbo, end)).toBe(words);
});

import { expect, test } from "@jest/globals";
import { manifestRefusal, type OutputItem } from "./manifest.js";

const hash = "a".repeat(64);
const file = (path: string, mode = 0o644): OutputItem => ({
  ...{ kind: "file", path, mode, bytes: 1, hash },
});
const sized = (wrong: { hash?: string; bytes?: number }): OutputItem => ({
  ...{ kind: "file", path: "a", mode: 0o644, bytes: 1, hash, ...wrong },
});
const link = (path: string, target: string): OutputItem => ({
  ...{ kind: "link", path, target },
});
const folder = (path: string): OutputItem => ({ kind: "folder", path });

test.each<[OutputItem[]]>([
  [[]],
  [[file("dist/a.js"), file("dist/b/run.sh", 0o755), folder("dist/empty")]],
  [[link("dist/a", "b"), link("dist/b/c", "../d/e"), link("x", "./dist")]],
  [[link("dist/up", "..")]],
])("%j is accepted", (items) => {
  expect(manifestRefusal(items)).toBeUndefined();
});

const notInside = (path: string) => `${path} is not a path in the package`;
const leaves = (path: string) => `the symlink ${path} leaves the package`;
const plain = " has more than plain permissions (setuid, setgid or sticky)";

test.each<[Partial<OutputItem>[], string]>([
  [[file("../x")], notInside("../x")],
  [[file("/etc/passwd")], notInside("/etc/passwd")],
  [[file("a/../../x")], notInside("a/../../x")],
  [[file("a//b")], notInside("a//b")],
  [[file("./a")], notInside("./a")],
  [[file("")], notInside("")],
  [[file("a\\..\\..\\x")], notInside("a\\..\\..\\x")],
  [[file("C:/x")], notInside("C:/x")],
  [[file("a\0b")], notInside("a\0b")],
  [[file(".git/hooks/pre-commit")], notInside(".git/hooks/pre-commit")],
  [[file("Node_Modules/x.js")], notInside("Node_Modules/x.js")],
  [[{ kind: "file" }], notInside("undefined")],
  [[file("a", 0o4755)], `a${plain}`],
  [[file("a", 0o2644)], `a${plain}`],
  [[file("a", 1.5)], `a${plain}`],
  [[sized({ hash: "../../x" })], "a has no valid size or hash"],
  [[sized({ bytes: -1 })], "a has no valid size or hash"],
  [[link("a", "/etc")], leaves("a")],
  [[link("a", "..")], leaves("a")],
  [[link("dist/a", "../../x")], leaves("dist/a")],
  [[link("dist/a", "b/../../../x")], leaves("dist/a")],
  [[link("dist/a", "../.git/config")], leaves("dist/a")],
  [[link("dist/a", "")], leaves("dist/a")],
  [[link("d", "."), file("d/x")], "d/x is below d, which is not a folder"],
  [[file("d"), file("d/x/y")], "d/x/y is below d, which is not a folder"],
  [[file("a"), file("a")], "a is listed twice"],
  [[{ path: "a" }], "a is of an unknown kind"],
])("%j is rejected", (items, why) => {
  expect(manifestRefusal(items)).toBe(why);
});

import { expect, test } from "@jest/globals";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { tempDir } from "@skein/testing";
import type { Plan } from "../plan.js";
import type { Found } from "../verdict/read-attestations.js";
import { coverageJson } from "./coverage-json.js";
import { mergeCoverage } from "./merge-coverage.js";

const at = (line: number) => ({
  start: { line, column: 0 },
  end: { line, column: 9 },
});
/** Returns the coverage of a file with two statements, a function and a branch with two arms. */
const file = (path: string, [first, second]: readonly [number, number]) => ({
  path,
  statementMap: { 0: at(1), 1: at(2) },
  fnMap: { 0: { name: "f\nx", decl: at(1), loc: at(1), line: 1 } },
  branchMap: {
    0: { loc: at(2), type: "if", locations: [at(2), at(2)], line: 2 },
  },
  s: { 0: first, 1: second },
  f: { 0: first },
  b: { 0: [first, second] },
});
const plan = (...ids: readonly string[]) =>
  ({
    jobs: [{ units: ids.map((id) => ({ id, whole: id.split("[")[0] })) }],
  }) as unknown as Plan;
const attesting = (name: string, units: Readonly<Record<string, string[]>>) =>
  ({
    file: `${name}/j.1.1.json`,
    attestation: {
      units: Object.entries(units).map(([id, coverage]) => ({ id, coverage })),
    },
  }) as unknown as Found;

test("paths are relative to the workspace on every machine, and files outside of it are skipped", () => {
  const map = Object.fromEntries(
    ["/ws/packages/a/f.js", "/elsewhere/f.js", "/ws"].map((path) => [
      path,
      { path, s: {} },
    ]),
  );
  expect(JSON.parse(coverageJson(map, "/ws"))).toEqual({
    "packages/a/f.js": { path: "packages/a/f.js", s: {} },
  });
  expect(coverageJson(undefined, "/ws")).toBe("{}");
});

test("the coverage of shards is merged; files that cannot be read, and shards without any, are reported", async () => {
  await using temp = await tempDir();
  const write = async (name: string, content: Buffer) => {
    await mkdir(dirname(join(temp.path, name)), { recursive: true });
    await writeFile(join(temp.path, name), content);
  };
  const packed = (value: unknown) => gzipSync(JSON.stringify(value));
  const of = (hits: readonly [number, number]) =>
    packed({ "lib/a.js": file("lib/a.js", hits) });
  await write("one/j.1.1.coverage/1.json.gz", of([2, 0]));
  await write("two/j.1.1.coverage/1.json.gz", of([1, 3]));
  await write("two/j.1.1.coverage/2.json.gz", Buffer.from("no gzip"));
  await write("two/j.1.1.coverage/3.json.gz", packed({ "../x": { path: 1 } }));
  const odd = { ...file("lib/b.js", [1, 1]), fnMap: { 0: null } };
  await write("two/j.1.1.coverage/5.json.gz", packed({ "lib/b.js": odd }));
  await symlink("1.json.gz", join(temp.path, "two/j.1.1.coverage/4.json.gz"));
  const names = [1, 2, 3, 4, 5].map((n) => `j.1.1.coverage/${n}.json.gz`);
  const found = [
    attesting("one", { "lib#test[1/3]": ["j.1.1.coverage/1.json.gz"] }),
    attesting("two", { "lib#test[2/3]": names, "app#test": [] }),
  ];
  const units = ["lib#test[1/3]", "lib#test[2/3]", "lib#test[3/3]", "app#test"];
  const merged = await mergeCoverage(plan(...units), temp.path, found);
  expect(merged).toEqual({
    json: expect.stringContaining('"s":{"0":3,"1":3}') as unknown,
    lcov: `TN:
SF:lib/a.js
FN:1,f x
FNF:1
FNH:1
FNDA:3,f x
DA:1,3
DA:2,3
LF:2
LH:2
BRDA:2,0,0,3
BRDA:2,0,1,3
BRF:2
BRH:2
end_of_record
`,
    percent: 100,
    lacking: ["lib#test[3/3]"],
    unread: [
      { file: "two/j.1.1.coverage/2.json.gz", why: "incorrect header check" },
      { file: "two/j.1.1.coverage/3.json.gz", why: "it isn't a coverage map" },
      { file: "two/j.1.1.coverage/4.json.gz", why: "it is a link" },
      { file: "two/j.1.1.coverage/5.json.gz", why: "it isn't a coverage map" },
    ],
  });
  expect(await mergeCoverage(plan("app#test"), temp.path, [])).toBeUndefined();
});

import { describe, expect, test } from "@jest/globals";
import { lastWords } from "./measure/failure.js";
import { measure, type Sample } from "./measure/measure.js";
import { rounds } from "./measure/rounds.js";
import { median } from "./measure/statistics.js";
import { parseOptions } from "./options.js";
import { BLOCK, replaceBlock } from "./report/document.js";
import { shellWords } from "./report/render-affected.js";
import { expectedAffected, membersOf } from "./site.js";

test("the expected answer includes indirect dependents, also in cycles", () => {
  const files = {
    "package.json": '{ "name": "root" }',
    "packages/a/package.json": '{ "name": "a" }',
    "packages/b/package.json":
      '{ "name": "b", "dependencies": { "c": "*", "a": "*" } }',
    "packages/c/package.json": '{ "name": "c", "dependencies": { "b": "*" } }',
    "packages/d/package.json": '{ "name": "d" }',
    "packages/d/index.js": "",
  };
  expect(expectedAffected(membersOf(files), ["a"])).toEqual(["a", "b", "c"]);
});

test.each([
  { values: [3, 1, 2], middle: 2 },
  { values: [4, 1, 3, 2], middle: 2.5 },
  { values: [7], middle: 7 },
])("the median of $values is $middle", ({ values, middle }) => {
  expect(median(values)).toBe(middle);
});

test("measure returns a command's output, exit code and end", async () => {
  const ended = await measure(
    {
      cwd: ".",
      argv: [
        "node",
        "-e",
        "console.log(1); console.error(2); process.exitCode = 3",
      ],
    },
    60_000,
  );
  expect(ended).toMatchObject({
    exitCode: 3,
    stopped: false,
    stdout: "1\n",
    stderr: "2\n",
  });
  const endless = ["node", "-e", "setInterval(() => 0, 1000)"];
  const stopped = await measure({ cwd: ".", argv: endless }, 300);
  expect(stopped).toMatchObject({ stopped: true, cpuMs: undefined });
});

test("contenders take turns; the warm-up counts only if there is no time for more runs", async () => {
  const order: string[] = [];
  const contender = (label: string, wallMs: number, exitCode = 0) => ({
    label,
    run: () => {
      order.push(label);
      const nothing = { cpuMs: undefined, peakMb: undefined, stopped: false };
      const sample: Sample = {
        ...nothing,
        wallMs,
        exitCode,
        stdout: "",
        stderr: "",
      };
      return Promise.resolve(sample);
    },
  });
  const samples = await rounds(
    [
      contender("quick", 10),
      contender("slow", 60),
      contender("slowest", 101),
      contender("broken", 10, 1),
    ],
    { runs: 2, budgetMs: 100, log: () => undefined },
  );
  expect(order.join(" ")).toBe("quick slow slowest broken quick slow quick");
  expect(samples.map(({ length }) => length)).toEqual([2, 1, 1, 1]);
});

test("each turn has another order", async () => {
  const order: string[] = [];
  const nothing = { cpuMs: undefined, peakMb: undefined, stopped: false };
  const sample = { ...nothing, wallMs: 1, exitCode: 0, stdout: "", stderr: "" };
  await rounds(
    ["a", "b", "c", "d", "e", "f", "g"].map((label) => ({
      label,
      run: () => {
        order.push(label);
        return Promise.resolve(sample);
      },
    })),
    { runs: 3, budgetMs: 100, log: () => undefined },
  );
  expect(order.join("").match(/.{7}/g)).toEqual([
    "abcdefg", // the warm-up
    "abcdefg",
    "bdfaceg",
    "cfbeadg",
  ]);
});

describe("options", () => {
  test("select sizes and peers, and always include Skein and Yarn", () => {
    const { sizes, tools } = parseOptions([
      "--sizes",
      "10,20",
      "--peers",
      "nx",
    ]);
    expect(sizes).toEqual([10, 20]);
    expect(tools.map(({ name }) => name)).toEqual(["skein", "nx", "yarn"]);
  });
  test.each([
    { args: ["--peers", "nix"], words: 'nothing is called "nix"' },
    { args: ["--sizes", "0"], words: 'not "0"' },
    { args: ["--speed", "9"], words: "Unknown option '--speed'" },
  ])("refuse $args", ({ args, words }) => {
    expect(() => parseOptions(args)).toThrow(words);
  });
});

describe("the document", () => {
  test("leaves everything outside the comments unchanged", () => {
    const [begin, end] = BLOCK;
    expect(replaceBlock(`a\n${begin}\nold\n${end}\nb\n`, "new\n", BLOCK)).toBe(
      `a\n${begin}\n\nnew\n\n${end}\nb\n`,
    );
  });
  test("is rejected without the comments", () => {
    expect(() => replaceBlock("a\n", "new", BLOCK)).toThrow("has no lines");
  });
});

test("lastWords and shellWords return text for a table", () => {
  expect(lastWords("installing\nnpm error 404 Not found\n  at x:1\n")).toBe(
    "npm error 404 Not found",
  );
  expect(shellWords(["node", "/far/away/floor.js", "...[main]"])).toBe(
    'node floor.js "...[main]"',
  );
});

import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  type Pair,
} from "./migrate.test.kit.js";
import { PHASES } from "./progress.js";
import { failedEvent } from "./render-json.js";

const schema = JSON.parse(
  readFileSync(
    new URL("../schemas/events.schema.json", import.meta.url),
    "utf8",
  ),
) as { $defs: { phaseId: { enum: string[] } } };
const validate = new Ajv2020({ strict: false }).compile(schema);

let pair: Pair;
beforeAll(async () => {
  pair = await buildPair([
    { files: libFiles, message: "one\n\nFixes #7\n", tags: ["v1.0.0"] },
  ]);
});
afterAll(async () => {
  await pair[Symbol.asyncDispose]();
});

/** Runs a command with --json. @returns its exit code and its events but for the phases, each checked by the schema */
async function events(...argv: readonly string[]) {
  const { code, stdout } = await migrate(pair.target, [...argv, "--json"]);
  const said = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string });
  for (const event of said) {
    validate(event);
    expect(validate.errors).toBeNull();
  }
  return { code, said: said.filter(({ event }) => event !== "phase") };
}

test("a refusal is the last event, with its data; a plan and a report before it follow the schema", async () => {
  const landed = await events("add", "../lib", ...historyOnly);
  expect(landed).toMatchObject({
    code: 0,
    said: [
      {
        event: "plan",
        warnings: [
          {
            code: "closing-references",
            data: { count: 1 },
            sentence:
              '1 message would close issues of the workspace when pushed to GitHub ("Fixes #12").',
          },
        ],
      },
      { event: "report", name: "@acme/lib" },
    ],
  });
  await writeFile(join(pair.target, "package.json"), "{}\n");
  expect(await events("add", "../lib")).toEqual({
    code: 3,
    said: [
      {
        version: 1,
        event: "refused",
        code: "dirty",
        data: { paths: ["package.json"] },
        sentence: "1 tracked file differs from the last commit: package.json.",
        hint: "Commit them, or put them away with `git stash`.",
      },
    ],
  });
  gitIn(pair.target, "checkout", "--quiet", "package.json");
});

test("a failure is the last event", async () => {
  expect(await events("add", `file://${pair.dir}/nowhere`)).toEqual({
    code: 3,
    said: [
      {
        version: 1,
        event: "failed",
        bug: false,
        sentence: `Cannot read the source file://${pair.dir}/nowhere: '${pair.dir}/nowhere' does not appear to be a git repository`,
        hint: "Check the address, and that `git ls-remote` can read it; private repositories need your git credentials.",
        exitCode: 3,
      },
    ],
  });
});

test("a bug is one, too, and says that it is", () => {
  const event = failedEvent(new TypeError("x is not a function"));
  expect(event).toEqual({
    version: 1,
    event: "failed",
    bug: true,
    sentence: "x is not a function",
    exitCode: 3,
  });
  expect(validate(event)).toBe(true);
});

test("the schema knows every phase", () => {
  expect(schema.$defs.phaseId.enum).toEqual(Object.keys(PHASES));
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  cp,
  mkdir,
  readFile,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tempDir, writeFiles } from "@skein/testing";
import { dispatchIn } from "../cli.test.kit.js";

const fixtures = fileURLToPath(
  new URL("../../fixtures/verdict/", import.meta.url),
);
const golden = (name: string) => readFile(join(fixtures, name), "utf8");

let dir: string;
let dispose: () => Promise<void>;
beforeAll(async () => {
  const temp = await tempDir();
  dispose = async () => temp[Symbol.asyncDispose]();
  dir = temp.path;
  await cp(fixtures, dir, { recursive: true });
});
afterAll(() => dispose());

test("a flaky, a broken, a killed and a missing unit, each named rightly in every format", async () => {
  const { exitCode, stdout } = await dispatchIn(
    dir,
    [
      "verdict",
      "--junit=out/j.xml",
      "--report=out/v.json",
      "--summary=out/s.md",
    ],
    { GITHUB_STEP_SUMMARY: join(dir, "step.md") },
  );
  expect(stdout).toBe(await golden("verdict.txt"));
  expect(exitCode).toBe(1);
  const written = (name: string) => readFile(join(dir, name), "utf8");
  expect(await written("out/v.json")).toBe(await golden("verdict-v1.json"));
  expect(await written("out/s.md")).toBe(await golden("verdict.md"));
  expect(await written("step.md")).toBe(await golden("verdict.md"));
  expect(await written("out/j.xml")).toBe(await golden("junit.xml"));
});

test("names from a pull request neither command the runner, nor mention anybody, nor leave their table", async () => {
  const md = await golden("verdict.md");
  const text = await golden("verdict.txt");
  expect(md).toContain("@\u200bteam");
  expect(md).not.toMatch(/^\s*::/m);
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toContain("\u001b");
});

test("no attestation at all, and a folder that is not there: everything is missing", async () => {
  await mkdir(join(dir, "empty"));
  for (const folder of ["empty", "nowhere"]) {
    const { exitCode, stdout } = await dispatchIn(dir, [
      "verdict",
      `--attestations=${folder}`,
    ]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/\nred: 5 missing, 1 planned skip /);
  }
});

test("files that are no attestation are named, and a link is not followed", async () => {
  await writeFiles(dir, {
    "odd/a/half.json": '{"version": 1, "plan"',
    "odd/b.json": "[]",
    "odd/c.json": '{"version": 2}',
    "odd/d.json":
      '{"version":1,"plan":"p","job":"j","attempt":0,"finished":true,"units":[]}',
    "odd/readme.txt": "not looked at",
    "secret.json": '{"token": "x"}',
  });
  await symlink("../secret.json", join(dir, "odd/link.json"));
  const { stdout, exitCode } = await dispatchIn(dir, [
    "verdict",
    "--attestations=odd",
    "--json",
  ]);
  expect(exitCode).toBe(3);
  const { refused } = JSON.parse(stdout) as { refused: unknown };
  expect(refused).toEqual([
    {
      file: "a/half.json",
      why: "malformed",
      detail: expect.stringContaining("JSON") as unknown,
    },
    { file: "b.json", why: "malformed", detail: "attestation is no object" },
    {
      file: "c.json",
      why: "malformed",
      detail: "attestation.version is not 1",
    },
    {
      file: "d.json",
      why: "malformed",
      detail: "attestation.attempt is no whole number from 1 to 1000",
    },
  ]);
});

test("of what is too much, in one file or in many, nothing is read", async () => {
  const at = (name: string) => join(dir, "huge", name);
  await mkdir(at(""));
  const space = " ".repeat(40 * 1024 * 1024);
  await writeFile(at("a.json"), space);
  await writeFile(at("b.json"), space);
  await writeFile(at("c.json"), "");
  await truncate(at("c.json"), 65 * 1024 * 1024);
  const { stdout } = await dispatchIn(dir, [
    "verdict",
    "--attestations=huge",
    "--json",
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    refused: [
      { file: "a.json", why: "malformed" },
      { file: "b.json", why: "too-large", detail: "41943040 bytes" },
      { file: "c.json", why: "too-large", detail: "68157440 bytes" },
    ],
  });
});

test("an attestation cannot say that it passed against its own runs", async () => {
  const text = await golden("attestations/app-lint.1.json");
  await mkdir(join(dir, "lie"));
  await writeFile(
    join(dir, "lie/lint.json"),
    text.replace('"outcome": "passed"', '"outcome": "failed"'),
  );
  const { stdout } = await dispatchIn(dir, ["verdict", "--attestations=lie"]);
  expect(stdout).toContain(
    "not counted: lint.json: it is no attestation of version 1 (the unit root#lint contradicts its last run)",
  );
});

test("retry names the jobs that deserve another machine, as a matrix", async () => {
  const output = join(dir, "outputs");
  const { exitCode, stdout } = await dispatchIn(dir, ["retry"], {
    GITHUB_OUTPUT: output,
  });
  expect(stdout).toBe(await golden("retry.txt"));
  expect(exitCode).toBe(0);
  expect(await readFile(output, "utf8")).toMatch(
    /^matrix<<(\S+)\n\{"job":\["packages-1","packages-2"\]\}\n\1\nany<<(\S+)\ntrue\n\2\n$/,
  );
  const { stdout: json } = await dispatchIn(dir, ["retry", "--json"]);
  expect(JSON.parse(json)).toMatchObject({
    version: 1,
    jobs: [{ job: "packages-1" }, { job: "packages-2" }],
  });
});

test("without a plan there is no verdict", async () => {
  const { stderr, exitCode } = await dispatchIn(dir, [
    "verdict",
    "--plan=none.json",
  ]);
  expect(stderr).toContain("ci-dispatch: none.json: the plan cannot be read");
  expect(exitCode).toBe(3);
  await symlink("plan.json", join(dir, "link.json"));
  const linked = await dispatchIn(dir, ["verdict", "--plan=link.json"]);
  expect(linked.stderr).toContain(
    "ci-dispatch: link.json: this is no plan of version 1: it is a link",
  );
  expect(linked.exitCode).toBe(3);
});

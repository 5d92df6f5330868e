import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  buildHistory,
  findProgram,
  gitIn,
  json,
  tempDir,
} from "@skein/testing";
import { parse } from "yaml";
import { repositoryFile, skeinRoot } from "../packed.js";
import { runProgram, type Outcome } from "../process.js";
import { buildkiteSteps } from "./buildkite-steps.js";

/** Runs pipelines of GitLab CI on this machine. It validates them with GitLab's own schema first. */
const gitlabCiLocal = join(
  createRequire(import.meta.url).resolve("gitlab-ci-local"),
  "../index.js",
);
const bin = (tool: string) => join(skeinRoot, `tools/${tool}/bin/${tool}.js`);

let room: Awaited<ReturnType<typeof tempDir>>;
let cwd: string;
beforeAll(async () => {
  room = await tempDir();
  cwd = room.path;
  const own = (name: string) =>
    json({ name, scripts: { test: "node test.js" } });
  buildHistory(cwd, [
    {
      files: {
        ".gitignore": ".gitlab-ci-local\n/bin\n",
        "package.json": json({ name: "shop", workspaces: ["packages/*"] }),
        "packages/a/package.json": own("a"),
        "packages/a/test.js": "process.exitCode = 0;\n",
        "packages/b/package.json": own("b"),
        "packages/b/test.js": "process.exitCode = 0;\n",
        ".gitlab-ci.yml": repositoryFile("docs/examples/gitlab/.gitlab-ci.yml"),
        // Without an image, the runner is this machine.
        "job.json": json({ variables: { GREETING: "hello" } }),
      },
    },
    {
      branch: "change",
      from: "main",
      files: { "packages/a/test.js": "console.log(process.env.GREETING);\n" },
    },
  ]);
  gitIn(cwd, "checkout", "--quiet", "change");
  gitIn(cwd, "remote", "add", "origin", "https://gitlab.example/acme/shop.git");
  // The jobs call yarn and npx; both run the tool of this repository.
  mkdirSync(join(cwd, "bin"));
  const script = (name: string, text: string) => {
    writeFileSync(join(cwd, "bin", name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(cwd, "bin", name), 0o755);
  };
  script(
    "yarn",
    `shift; exec '${process.execPath}' '${bin("ci-dispatch")}' "$@"`,
  );
});
afterAll(async () => {
  await room[Symbol.asyncDispose]();
});

const run = (program: string, ...args: string[]): Promise<Outcome> =>
  runProgram(
    {
      cwd,
      env: {
        PATH: `${join(cwd, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
      },
    },
    process.execPath,
    program,
    ...args,
  );
const plan = (engine: string, out: string, jobs: string) =>
  run(
    bin("ci-dispatch"),
    ...["plan", "--base", "main", "--pipeline", engine, "--out", out],
    ...["--before", "true", "--tool", "yarn ci-dispatch"],
    ...["--job-settings", jobs],
  );
const gitlab = (...args: string[]) => run(gitlabCiLocal, ...args);

test("GitLab: the example matches GitLab's schema", async () => {
  const { exitCode, stdout, stderr } = await gitlab("--list");
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringContaining("json schema validated"),
  ]);
  expect(stdout).toMatch(/^plan .*\n^test /m);
});

/** gitlab-ci-local copies the files of a job with it. */
const rsync = findProgram({
  names: ["rsync"],
  package: "rsync",
  tests: "the tests that carry out a GitLab pipeline",
});
/** Nothing is skipped in CI: there, `findProgram` throws if a program is missing. */
const testWithRsync = rsync === undefined ? test.skip : test;

testWithRsync.each([
  ["green", "console.log(process.env.GREETING);\n", 0],
  ["red", "process.exitCode = 1;\n", 1],
])(
  "GitLab: a child pipeline is carried out, and is %s",
  async (colour, text, code) => {
    gitIn(cwd, "checkout", "--quiet", ".");
    writeFileSync(join(cwd, "packages/a/test.js"), text);
    gitIn(
      cwd,
      "commit",
      "--quiet",
      "--all",
      "--allow-empty",
      "--message=change",
    );
    expect(await plan("gitlab", "child.yml", "job.json")).toMatchObject({
      exitCode: 0,
    });
    const { exitCode, stdout, stderr } = await gitlab("--file", "child.yml");
    const log = `${stdout}${stderr}`;
    expect(log).toContain("json schema validated");
    expect(log).toContain(`${colour}: `);
    expect(exitCode).toBe(code);
  },
);

test("Buildkite: the example and the uploaded steps match the documentation", async () => {
  const form = new Ajv2020({ allowUnionTypes: true }).compile(buildkiteSteps);
  const example = parse(
    repositoryFile("docs/examples/buildkite/pipeline.yml"),
  ) as unknown;
  expect([form(example), form.errors]).toEqual([true, null]);
  const settings = join(skeinRoot, "docs/examples/buildkite/job.json");
  expect(await plan("buildkite", "steps.json", settings)).toMatchObject({
    exitCode: 0,
  });
  const steps = JSON.parse(readFileSync(join(cwd, "steps.json"), "utf8")) as {
    steps: { key: string; depends_on?: { step: string }[] }[];
  };
  expect([form(steps), form.errors]).toEqual([true, null]);
  const keys = steps.steps.map(({ key }) => key);
  expect(keys).toEqual(["leg-all", "verdict"]);
  expect(form({ steps: [{ label: "x", comand: "y" }] })).toBe(false);
});

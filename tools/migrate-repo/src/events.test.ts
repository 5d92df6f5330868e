import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  type Pair,
} from "./migrate.test.kit.js";
import { PHASES } from "./words/progress.js";
import { eventLine, failedEvent } from "./words/events.js";

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

/**
 * Runs a command with --json, and checks each event with the schema. @returns its exit code and its events, without
 * phases
 */
async function events(...argv: readonly string[]) {
  const { code, stdout } = await migrate(pair.target, [...argv, "--json"]);
  const output = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string });
  for (const event of output) {
    validate(event);
    expect(validate.errors).toBeNull();
  }
  return { code, output: output.filter(({ event }) => event !== "phase") };
}

test("a refusal is the last event and contains its data; the plan and the report before it match the schema", async () => {
  const landed = await events("add", "../lib", ...historyOnly);
  expect(landed).toMatchObject({
    code: 0,
    output: [
      {
        event: "plan",
        warnings: [
          {
            code: "closing-references",
            data: { count: 1 },
            sentence:
              '1 message would close issues of the workspace when pushed to GitHub ("Fixes #12")',
          },
        ],
      },
      { event: "report", name: "@acme/lib" },
      { version: 1, event: "done", exitCode: 0 },
    ],
  });
  await writeFile(join(pair.target, "package.json"), "{}\n");
  expect(await events("add", "../lib")).toEqual({
    code: 3,
    output: [
      {
        version: 1,
        event: "refused",
        code: "dirty",
        data: { paths: ["package.json"] },
        sentence: "1 tracked file differs from the last commit: package.json",
        hint: "commit the changes, or stash them with `git stash`",
      },
    ],
  });
  gitIn(pair.target, "checkout", "--quiet", "package.json");
});

const done = (exitCode: number) => ({ version: 1, event: "done", exitCode });

/** Changes a file differently on both sides. */
async function diverge(text: string): Promise<void> {
  await writeFile(join(pair.source, "index.js"), `there ${text}\n`);
  gitIn(pair.source, "commit", "--quiet", "--all", "--message", "there");
  await writeFile(join(pair.target, "packages/lib/index.js"), `${text}\n`);
  gitIn(pair.target, "commit", "--quiet", "--all", "--message", "here");
}

test("each command prints its result, and its end as the last event", async () => {
  const name = "@acme/lib";
  const head = () => gitIn(pair.target, "rev-parse", "HEAD").trim();
  const manifest = join(pair.dir, "migrations.json");
  await writeFile(
    manifest,
    json({
      version: 1,
      defaults: { register: false, skip: historyOnly.slice(2) },
      repositories: [{ source: "../lib" }, { source: "../nowhere" }],
    }),
  );
  const repository = { version: 1, event: "repository", notes: [] };
  const nowhere = {
    ...repository,
    source: "../nowhere",
    name: "../nowhere",
    state: "blocked",
    notes: [
      {
        topic: "blocked",
        text: '"../nowhere" is not a folder, a git URL or owner/name',
      },
    ],
  };
  expect(await events("undo", "lib")).toEqual({
    code: 0,
    output: [{ version: 1, event: "undone", name }, done(0)],
  });
  expect(await events("plan", manifest)).toEqual({
    code: 1,
    output: [
      {
        ...repository,
        source: "../lib",
        name,
        state: "planned",
        commits: 1,
        tags: 1,
        notes: [
          {
            topic: "follow-up",
            text: '1 message would close issues of the workspace when pushed to GitHub ("Fixes #12"); point them at the source\'s issues with --qualify-refs owner/repo; that changes commit ids',
          },
        ],
      },
      nowhere,
      done(1),
    ],
  });
  const figures = {
    commits: 1,
    merges: 0,
    authors: 1,
    signatures: 0,
    pruned: 0,
    mended: 0,
    qualified: 0,
  };
  expect(await events("apply", manifest)).toEqual({
    code: 1,
    output: [
      {
        ...repository,
        source: "../lib",
        name,
        state: "migrated",
        figures,
        tags: 1,
        milliseconds: 0,
        bytes: expect.any(Number),
      },
      nowhere,
      done(1),
    ],
  });

  const sync = {
    version: 1,
    event: "sync",
    name,
    branch: "main",
    commits: 1,
    tags: 0,
    branches: [],
    left: [],
    rewritten: false,
    conflicts: ["packages/lib/index.js"],
    followUps: [],
  };
  const conflicts = { version: 1, event: "conflicts", paths: sync.conflicts };
  await diverge("one");
  expect(await events("status", manifest)).toEqual({
    code: 1,
    output: [
      {
        ...repository,
        source: "../lib",
        name,
        state: "stale",
        behind: 1,
        figures,
        tags: 1,
        notes: [
          {
            topic: "follow-up",
            text: expect.stringMatching(
              /^1 file differs from the source's main \([0-9a-f]{12}\), because it was changed here: packages\/lib\/index\.js\.$/,
            ),
          },
          {
            topic: "follow-up",
            text: "migrate-repo sync @acme/lib merges them",
          },
        ],
      },
      nowhere,
      done(1),
    ],
  });
  expect(await events("sync", "lib")).toEqual({
    code: 1,
    output: [sync, conflicts, done(1)],
  });
  expect(await events("abort")).toEqual({
    code: 0,
    output: [{ version: 1, event: "aborted", name }, done(0)],
  });
  expect(await events("sync", "lib")).toMatchObject({ code: 1 });
  expect(await events("continue")).toEqual({
    code: 1,
    output: [conflicts, done(1)],
  });
  await writeFile(join(pair.target, "packages/lib/index.js"), "both\n");
  gitIn(pair.target, "add", "--all");
  expect(await events("continue")).toEqual({
    code: 0,
    output: [{ version: 1, event: "landed", name, head: head() }, done(0)],
  });

  const verified = {
    version: 1,
    event: "verified",
    name,
    commits: 2,
    withoutOriginal: 0,
    tags: 1,
    deleted: [],
    dropped: 0,
    samples: 2,
    packed: 1,
    resolutions: 0,
    since: { unpacked: [], moved: [] },
    findings: [],
    differences: [
      { path: "packages/lib/index.js", why: { kind: "changed-here" } },
    ],
  };
  expect(await events("finish", "lib")).toEqual({
    code: 0,
    output: [
      { ...sync, commits: 0, conflicts: [] },
      verified,
      {
        version: 1,
        event: "leave",
        source: pair.source,
        packages: [
          {
            dir: "packages/lib",
            name,
            homeName: name,
            isPrivate: false,
            namesWorkspace: false,
          },
        ],
        checkedAt: head(),
        steps: expect.arrayContaining([
          { title: "Make it read-only where it is hosted.", lines: [] },
        ]),
      },
      done(0),
    ],
  });
  gitIn(pair.target, "tag", "--delete", "@acme/lib@1.0.0");
  expect(await events("verify", "lib")).toEqual({
    code: 1,
    output: [
      {
        ...verified,
        findings: [
          {
            code: "tag-gone",
            data: { ref: "refs/tags/@acme/lib@1.0.0" },
            sentence: "The tag refs/tags/@acme/lib@1.0.0 is gone.",
          },
        ],
      },
      done(1),
    ],
  });
});

test("a failure is the last event", async () => {
  expect(await events("add", `file://${pair.dir}/nowhere`)).toEqual({
    code: 3,
    output: [
      {
        version: 1,
        event: "failed",
        bug: false,
        sentence: `cannot read the source file://${pair.dir}/nowhere: '${pair.dir}/nowhere' does not appear to be a git repository`,
        hint: "check the address, and that `git ls-remote` can read it; private repositories need your git credentials",
        exitCode: 3,
      },
    ],
  });
});

test("a bug is also a failure event, marked as a bug", () => {
  const line = eventLine(failedEvent(new TypeError("x is not a function")));
  const event = JSON.parse(line) as object;
  expect(event).toEqual({
    version: 1,
    event: "failed",
    bug: true,
    sentence: "x is not a function",
    exitCode: 3,
  });
  expect(validate(event)).toBe(true);
});

test("the schema lists every phase", () => {
  expect(schema.$defs.phaseId.enum).toEqual(Object.keys(PHASES));
});

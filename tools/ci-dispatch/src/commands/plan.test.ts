import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildHistory, gitIn, suiteDir, writeFiles } from "@skein/testing";
import { buildWorkspace, dispatchIn } from "../cli.test.kit.js";
import { parsePlan } from "../plan/file/read-plan.js";
import { parseVerdict } from "../verdict/read-verdict.js";
import { sealed } from "../verdict/judge.test.kit.js";

let dir: string;
const fixtures = new URL("../../fixtures/plan/", import.meta.url);

const temp = await suiteDir(afterAll);
beforeAll(async () => {
  dir = join(temp, "ws");
  buildWorkspace(
    dir,
    {
      app: { scripts: { test: "jest" }, dependencies: { lib: "workspace:*" } },
      docs: {},
      lib: { scripts: { test: "jest" } },
      untouched: { scripts: { test: "jest" } },
    },
    {
      changed: ["lib", "docs"],
      root: { scripts: { lint: "eslint ." } },
      settings: {
        dispatch: { application: { lint: "lint" }, setupSeconds: 30 },
      },
      files: {
        "packages/lib/a.test.js": "",
        "packages/lib/b.test.js": "",
        "packages/lib/c.test.js": "",
        "packages/app/node.test.js": "",
      },
    },
  );
  await writeFiles(temp, {
    "history.ndjson": [700_000, 650_000]
      .map((ms, index) =>
        JSON.stringify({
          version: 1,
          at: `2026-01-0${index + 1}T00:00:00.000Z`,
          commit: "c",
          unit: "lib#test",
          ms,
          verdict: "passed",
          files: { "a.test.js": 400, "b.test.js": 300, "c.test.js": 10 },
        }),
      )
      .join("\n"),
  });
});

interface PlanFile {
  readonly jobs: readonly unknown[];
}

const planArgs = ["plan", "--base", "main", "--history", "../history.ndjson"];

test("the plan file has version 1, and is the same for a range and for `affected`'s output", async () => {
  const { exitCode, stderr } = await dispatchIn(dir, [
    ...planArgs,
    "--output",
    "../out/plan.json",
  ]);
  expect(stderr).toContain("1 of 2 units have no history");
  expect(exitCode).toBe(0);
  const plan = await readFile(join(dir, "../out/plan.json"), "utf8");
  expect(plan).toBe(await readFile(new URL("plan-v1.json", fixtures), "utf8"));
});

test("text output: the jobs, the prediction, and what bounds it", async () => {
  const { stdout, exitCode } = await dispatchIn(dir, planArgs);
  expect(stdout).toBe(await readFile(new URL("plan.txt", fixtures), "utf8"));
  expect(exitCode).toBe(0);
});

test("in Actions: a matrix of ids, whether it has jobs, and a summary", async () => {
  const { exitCode } = await dispatchIn(dir, planArgs, {
    GITHUB_OUTPUT: join(dir, "../output"),
    GITHUB_STEP_SUMMARY: join(dir, "../summary"),
  });
  expect(exitCode).toBe(0);
  const output = await readFile(join(dir, "../output"), "utf8");
  const outputs = Object.fromEntries(
    [...output.matchAll(/^([\w-]+)<<(.*)\n(.*)\n\2\n/gm)].map(
      ([, name = "", , value]) => [name, value],
    ),
  );
  expect(outputs).toEqual({
    matrix: '{"job":["app-lint","packages-1","packages-2"]}',
    any: "true",
    application: '{"job":["app-lint"]}',
    "any-application": "true",
    packages: '{"job":["packages-1","packages-2"]}',
    "any-packages": "true",
    inline: "false",
    limits: expect.stringMatching(
      /^\{"app-lint":40,"packages-1":\d+,"packages-2":\d+\}$/,
    ) as unknown,
    traces: "",
    plan: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
  });
  expect(await readFile(join(dir, "../summary"), "utf8")).toBe(
    await readFile(new URL("summary.md", fixtures), "utf8"),
  );
});

test("--explain describes a package or a job; for an unknown name it suggests similar ones", async () => {
  const app = await dispatchIn(dir, [...planArgs, "--explain", "app"]);
  expect(app.stdout).toBe(
    await readFile(new URL("explain-app.txt", fixtures), "utf8"),
  );
  const job = await dispatchIn(dir, [...planArgs, "--explain", "packages-1"]);
  expect(job.stdout).toMatch(/^packages-1: .* expected\nlib#test\[\d\/3\]\n/);
  const docs = await dispatchIn(dir, [...planArgs, "--explain", "docs"]);
  expect(docs.stdout).toBe(
    "docs#test\n  not run: the package has no such script\n",
  );
  const wrong = await dispatchIn(dir, [...planArgs, "--explain", "appq"]);
  expect(wrong.stderr).toContain(
    "ci-dispatch: the plan has no job or package appq\nhint: did you mean app?\n",
  );
  expect(wrong.exitCode).toBe(2);
});

test("a unit whose settings judge the whole run isn't split; finding them needs no installation and runs no code of the workspace", async () => {
  const unitsOf = async () => {
    const { stdout, stderr } = await dispatchIn(dir, [...planArgs, "--json"]);
    const { jobs } = parsePlan(stdout);
    const units = jobs.flatMap((job) => job.units.map(({ id }) => id));
    return { units: units.toSorted(), stderr };
  };
  const split = await unitsOf();
  expect(split.units).toContain("lib#test[1/3]");
  const settings = "packages/lib/jest.config.js";
  await writeFiles(dir, {
    [settings]:
      'throw new Error("run");\nmodule.exports = { preset: "../app/shared" };\n',
    "packages/app/shared/jest-preset.js":
      "module.exports = { globalTeardown: './end.js' };\n",
  });
  expect(await unitsOf()).toEqual({
    units: ["app#test", "lib#test", "root#lint"],
    stderr: `note: 1 of 2 units have no history; their durations are estimates from their test files
note: lib#test is not split: Jest's globalTeardown judges the whole run
`,
  });
  await rm(join(dir, settings));
  await rm(join(dir, "packages/app/shared"), { recursive: true });
  expect(await unitsOf()).toEqual(split);
});

test("--reuse uses the plan of an earlier attempt unchanged", async () => {
  const made = await dispatchIn(dir, [
    ...planArgs,
    "--jobs=1",
    "--output=../one.json",
  ]);
  expect(made.exitCode).toBe(0);
  const again = await dispatchIn(dir, [
    ...planArgs,
    "--reuse=../one.json",
    "--json",
  ]);
  expect(again.stdout).toBe(await readFile(join(dir, "../one.json"), "utf8"));
});

test.each<[string, (plan: PlanFile) => object, string]>([
  [
    "with fewer jobs and its old id",
    (plan) => ({ ...plan, jobs: [] }),
    "this isn't a plan of version 1: plan.id is not the hash of the plan: it was changed after it was made",
  ],
  [
    "with fewer jobs and an id of its own",
    (plan) => sealed({ ...plan, jobs: plan.jobs.slice(0, 1) }),
    "it does not run lib#test",
  ],
  [
    "for another commit",
    (plan) => sealed({ ...plan, head: "e".repeat(40) }),
    `it is for the commit ${"e".repeat(40)}, and this run is for 9d984c2effb01f0eabd27505d1c1a4e4c5a92e50`,
  ],
])("--reuse ignores a plan %s", async (_name, change, why) => {
  const made = await dispatchIn(dir, [...planArgs, "--json"]);
  const kept = change(JSON.parse(made.stdout) as PlanFile);
  await writeFiles(dir, { "../kept.json": JSON.stringify(kept) });
  const again = await dispatchIn(dir, [
    ...planArgs,
    "--reuse=../kept.json",
    "--json",
  ]);
  expect(again).toEqual({
    ...made,
    stderr: `warning: the plan ../kept.json is not reused, so all jobs run: ${why}\n${made.stderr}`,
  });
});

test("--fetch-history uses the branch of the remote, and only warns of a missing one", async () => {
  gitIn(dir, "clone", "--quiet", "--bare", ".", "../remote.git");
  gitIn(dir, "remote", "add", "kept", "../remote.git");
  const imported = await dispatchIn(
    dir,
    "history import --remote=kept --file=../history.ndjson",
  );
  expect(imported.exitCode).toBe(0);
  const explain = ["plan", "--base=main", "--explain=lib"];
  const known = await dispatchIn(dir, [...explain, "--fetch-history=kept"]);
  expect(known.stdout).toContain("(P90 of 2 runs: 11 min 40 s)");
  // As in the checkout of a private repository that has no credentials to fetch again.
  gitIn(dir, "fetch", "--quiet", "kept");
  gitIn(dir, "remote", "set-url", "kept", "../gone.git");
  const fetched = await dispatchIn(dir, [...explain, "--fetch-history=kept"]);
  expect(fetched.stderr).toContain(
    "warning: the history of kept cannot be read, so its last fetch is used: fatal: ",
  );
  expect(fetched.stdout).toBe(known.stdout);
  const unknown = await dispatchIn(dir, [...explain, "--fetch-history"]);
  expect(unknown.stderr).toContain(
    "warning: the history of origin cannot be read, so durations are estimates: fatal: ",
  );
  expect(unknown.exitCode).toBe(0);
});

test("with a missing or broken history, the plan uses estimates", async () => {
  const explain = ["plan", "--base=main", "--explain=lib"];
  const estimated = await dispatchIn(dir, explain);
  for (const [name, files] of [
    ["none", undefined],
    ["broken", { "2026-01-01.ndjson.gz": "no gzip" }],
    ["malformed", { "2026-01-01.ndjson.gz": gzipSync("{half\n[]\n") }],
  ] as const) {
    const source = join(dir, `../history-${name}`);
    await mkdir(source);
    buildHistory(source, [
      { files: { "a.txt": "" } },
      ...(files ? [{ branch: "ci-history", files }] : []),
    ]);
    gitIn(dir, "remote", "add", name, source);
    const planned = await dispatchIn(dir, [
      ...explain,
      `--fetch-history=${name}`,
    ]);
    const warning = {
      none: "",
      broken:
        "warning: 2026-01-01.ndjson.gz of the history is broken, and is skipped\n",
      malformed: "warning: skipped 2 lines of the history that aren't events\n",
    }[name];
    expect(planned).toEqual({
      ...estimated,
      stderr: warning + estimated.stderr,
    });
  }
});

test("300 affected packages with one package per job: at most 256 jobs, with all packages", async () => {
  const many = join(dir, "../many");
  const names = Array.from({ length: 300 }, (_each, index) => `p${index}`);
  buildWorkspace(
    many,
    Object.fromEntries(
      names.map((name) => [name, { scripts: { test: "true" } }]),
    ),
  );
  const output = join(many, "../many-output");
  const planned = await dispatchIn(
    many,
    "plan --base=main --one-package-per-job --max-jobs=999 --output=plan.json",
    { GITHUB_OUTPUT: output },
  );
  expect(planned.exitCode).toBe(0);
  const plan = parsePlan(await readFile(join(many, "plan.json"), "utf8"));
  const units = plan.jobs.flatMap((job) => job.units.map(({ id }) => id));
  expect(units.toSorted()).toEqual(
    names.map((name) => `${name}#test`).toSorted(),
  );
  const matrix = /^matrix<<.*\n(.*)\n/.exec(
    await readFile(output, "utf8"),
  )?.[1];
  expect(JSON.parse(matrix ?? "")).toEqual({
    job: plan.jobs.map(({ id }) => id),
  });
  expect(plan.jobs).toHaveLength(256);
  const judged = await dispatchIn(many, ["verdict", "--attestations=none"]);
  expect(judged.stdout).toMatch(/\nred: 300 missing /);
  expect(judged.exitCode).toBe(3);
});

test.each([
  [["plan", "--jobs", "0"], 2, "it takes a whole number above 0\n"],
  [
    ["plan", "--affected", "none.json"],
    3,
    "cannot be read: there is no such file",
  ],
  [
    ["plan", "--output", "package.json/a/plan.json"],
    2,
    "package.json/a/plan.json: cannot be written: a part of its path is a file",
  ],
  [["plan", "--affected", "package.json"], 3, "it has no `version: 1`"],
  [
    ["plan", "--base", "nowhere"],
    2,
    "`affected` could not determine what is affected",
  ],
  [["pln"], 2, 'there is no command "pln"'],
])("%j: exit code %d", async (args, exitCode, words) => {
  const ended = await dispatchIn(dir, args);
  expect(ended.stderr).toContain(words);
  expect(ended.exitCode).toBe(exitCode);
  expect(ended.stdout).toBe("");
});

test("a change that alters what is tested is noted in the plan, and in the verdict's text, Markdown and file", async () => {
  const it = join(dir, "../altered");
  buildWorkspace(it, {
    app: { scripts: { test: "true" } },
    lib: { scripts: { test: "true" } },
  });
  await writeFiles(it, {
    "skein.json": `{ "affected": { "ignore": ["packages/lib/**", "skein.json"] } }\n`,
    "packages/app/package.json": `{ "name": "app", "scripts": { "tests": "true" } }\n`,
    ".github/workflows/\u202eci.yml": "on: push\n",
  });
  gitIn(it, "add", "--all");
  gitIn(it, "commit", "--quiet", "--message=change");
  const { stderr } = await dispatchIn(it, ["plan", "--base=main", "-o", "p"]);
  const alters = [
    "skein.json changes affected.ignore",
    "app loses its script test",
    "it changes .github/workflows/\\u202eci.yml",
  ].map((what) => `the change alters what is tested: ${what}`);
  for (const what of alters) expect(stderr).toContain(`note: ${what}\n`);
  const verdict = ["verdict", "--plan=p", "--report=v.json", "--summary=s.md"];
  const { stdout } = await dispatchIn(it, verdict);
  expect(stdout).toMatch(/\ngreen: nothing to run, 1 planned skip /);
  for (const what of alters) expect(stdout).toContain(`${what}\n`);
  const summary = await readFile(join(it, "s.md"), "utf8");
  expect(
    summary.match(/^- ⚠️ the change alters what is tested: /gm),
  ).toHaveLength(3);
  expect(summary).not.toContain("\u202e");
  const report = await readFile(join(it, "v.json"), "utf8");
  expect(parseVerdict(report).alters).toHaveLength(3);
});

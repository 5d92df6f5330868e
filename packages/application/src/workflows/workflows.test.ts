import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { buildHistory, tempDir, writeFiles } from "@skein/testing";
import { repositoryFile, skeinRoot } from "../packed.js";
import { runProgram } from "../process.js";
import { actionlint } from "./actionlint.js";
import { guard, guardCall } from "./guards.js";
import { adoptedWorkflow, PUBLISHED, shownWorkflows } from "./shown.js";
import { parseWorkflow } from "./workflow.js";

const folder = ".github/workflows";
const names = readdirSync(join(skeinRoot, folder));
const adopted = ["ci.yml", "metrics.yml", "reporter.yml"];
const read = (name: string) =>
  parseWorkflow(repositoryFile(`${folder}/${name}`));

describe.each(names)("%s", (name) => {
  const workflow = read(name);

  test("passes the checks that actionlint and act lack", () => {
    expect(guard(workflow)).toEqual([]);
  });

  test("calls workflows with valid inputs and permissions", () => {
    for (const job of Object.values(workflow.jobs))
      if (job.uses?.startsWith("./") === true)
        expect(
          guardCall(job, read(job.uses.replace(`./${folder}/`, ""))),
        ).toEqual([]);
  });
});

test("the pages show workflows that pass the checks that actionlint and act lack", () => {
  expect(
    shownWorkflows.map(({ page, name, text }) => ({
      page,
      name,
      // The commit of our own release isn't known before the release.
      problems: guard(
        parseWorkflow(
          text.replace(
            /(skein-tools\S+)@v([\d.]+)$/m,
            `$1@${"0".repeat(40)} # v$2`,
          ),
        ),
      ),
    })),
  ).toEqual([
    { page: "README.md", name: "", problems: [] },
    { page: "docs/adopt.md", name: "ci.yml", problems: [] },
    { page: "docs/adopt.md", name: "needs.yml", problems: [] },
    { page: "docs/adopt.md", name: "reporter.yml", problems: [] },
    { page: "docs/adopt.md", name: "metrics.yml", problems: [] },
    { page: "docs/ci-dispatch.md", name: "job.yml", problems: [] },
  ]);
});

describe.each(adopted)("docs/adopt.md: %s", (name) => {
  const text = adoptedWorkflow(name);
  const [job, ...others] = Object.values(parseWorkflow(text).jobs);

  test("calls the workflow of this repository, at its version", () => {
    const { version } = JSON.parse(
      repositoryFile("tools/ci-dispatch/package.json"),
    ) as { version: string };
    const [place = "", release] = PUBLISHED.split("@");
    expect(release).toBe(`v${version}`);
    const called = name === "ci.yml" ? "ci-dispatch.yml" : name;
    expect(text).toContain(`uses: ${place}/${folder}/${called}@v${version}\n`);
    expect(guardCall(job ?? {}, read(called))).toEqual([]);
    expect(others).toEqual([]);
  });
});

test("affected init writes the same workflows, and they pass actionlint", async () => {
  await using room = await tempDir();
  const pin = "1".repeat(40);
  buildHistory(room.path, [
    {
      files: {
        "package.json": '{"name": "shop", "workspaces": ["packages/*"]}',
        "packages/app/package.json": '{"name": "app"}',
        "yarn.lock": "__metadata:\n  version: 8\n",
      },
    },
  ]);
  const bin = join(skeinRoot, "tools/affected/bin/affected.js");
  const { exitCode, stderr } = await runProgram(
    room.path,
    process.execPath,
    ...[bin, "init", "--yes", "--no-compare", "--pin", pin],
  );
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("wrote 6")]);
  expect(await actionlint(join(room.path, folder))).toEqual([]);
  const { version } = JSON.parse(
    repositoryFile("tools/affected/package.json"),
  ) as { version: string };
  for (const name of adopted) {
    const text = readFileSync(join(room.path, folder, name), "utf8");
    expect(guard(parseWorkflow(text))).toEqual([]);
    expect(
      text
        .replace(/^#.*\n/, "")
        .replace(`@${pin} # v${version}`, `@v${version}`),
    ).toBe(adoptedWorkflow(name));
  }
});

test("only the called workflows fetch a release, and each fetches its own", () => {
  const { version } = JSON.parse(
    repositoryFile("tools/ci-dispatch/package.json"),
  ) as { version: string };
  // The job that plans installs them without a lockfile.
  const { dependencies } = JSON.parse(
    repositoryFile("tools/affected/package.json"),
  ) as { dependencies: Readonly<Record<string, string>> };
  for (const range of Object.values(dependencies))
    expect(range).toMatch(/^\d+\.\d+\.\d+$/);
  for (const name of ["ci-dispatch.yml", "metrics.yml", "reporter.yml"]) {
    const text = repositoryFile(`${folder}/${name}`);
    const named = [...text.matchAll(/@skein\/[\w-]+@(\S+)/g)];
    expect(named.length).toBeGreaterThan(0);
    expect(new Set(named.map(([, each]) => each))).toEqual(new Set([version]));
    for (const [, file] of text.matchAll(/tar -xzf (\S+)/g))
      expect(file).toMatch(new RegExp(`^skein-ci-dispatch-${version}.tgz$`));
    for (const [line] of text.matchAll(/npm (?:install|pack) .*/g))
      expect(line).toContain(" --ignore-scripts ");
  }
});

test("legs differ only in the number of the machine", () => {
  const { application, packages, again } = read("ci-dispatch.yml").jobs;
  const steps = (job: typeof again) =>
    (job?.steps ?? [])
      // The default branch saves its cache on the first machine, and the only leg of a plan reports whether it settled.
      .filter(({ uses = "" }) => !uses.startsWith("actions/cache/save@"))
      .map((step) =>
        JSON.stringify({ ...step, id: undefined })
          .replace(" --machine 2", "")
          .replace("run_attempt }}.2", "run_attempt }}.1"),
      );
  expect(steps(packages)).toEqual(steps(application));
  expect(steps(again)).toEqual(steps(application));
  expect(again?.["runs-on"]).toBe(packages?.["runs-on"]);
  expect(again?.container).toBe(packages?.container);
  expect(packages?.container).toContain("matrix.pool");
});

test("traces are recorded after the verdict, on a machine like that of a leg, and a job with a token stores them", () => {
  const { packages, trace, history } = read("ci-dispatch.yml").jobs;
  const untilSetUp = (job: typeof trace) => {
    const steps = (job?.steps ?? []).filter(({ id }) => id !== "began");
    const setUp = steps.findIndex(({ name }) => name === "Set up");
    return steps.slice(0, setUp);
  };
  expect(untilSetUp(trace)).toEqual(untilSetUp(packages));
  expect(untilSetUp(trace).length).toBeGreaterThan(5);
  expect(trace?.permissions).toEqual({ contents: "read" });
  expect(trace?.needs).toEqual(["plan", "verdict"]);
  expect(trace?.if).toContain("needs.plan.outputs.traces != ''");
  expect(history?.needs).toEqual(["plan", "verdict", "trace"]);
});

test("two calls in one workflow share no artifact, check, comment or concurrency group", () => {
  const { jobs, concurrency } = read("ci-dispatch.yml");
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
  const named = steps
    .filter(({ uses = "" }) => /^actions\/(up|down)load-artifact@/.test(uses))
    .map((step) => step.with?.["name"] ?? step.with?.["pattern"]);
  expect(named.length).toBeGreaterThan(10);
  for (const name of [...named, concurrency?.["group"]])
    expect(name).toMatch(/^\$\{\{ inputs\.name \}\}-/);
  for (const { run = "", env } of steps)
    if (/ci-dispatch\.js"\s+(plan|retry|verdict|publish)\s/.test(run)) {
      expect(run).toContain('--name "$NAME"');
      expect(env?.["NAME"]).toBe("${{ inputs.name }}");
    }
});

test("for a pull request of Dependabot, whose token only reads, only the reporter publishes the verdict", () => {
  const shows = read("ci-dispatch.yml").jobs["publish"]?.if;
  const reports = read("reporter.yml").jobs["report"]?.if;
  expect(shows).toContain("github.actor != 'dependabot[bot]'");
  expect(reports).toContain(
    "github.event.workflow_run.actor.login == 'dependabot[bot]'",
  );
});

test("a workspace adopts it in less than ten lines, with the events of ci.yml", () => {
  const text = adoptedWorkflow("ci.yml");
  expect(text.trimEnd().split("\n").length).toBeLessThan(10);
  expect(Object.keys(parseWorkflow(text).on)).toEqual(
    Object.keys(read("ci.yml").on),
  );
});

test("superseded runs of a pull request are cancelled, but not those of a commit on main", () => {
  const { concurrency } = read("ci-dispatch.yml");
  expect(concurrency).toEqual({
    group:
      "${{ inputs.name }}-${{ github.workflow }}-${{ github.event_name == 'pull_request' && github.ref || github.sha }}",
    "cancel-in-progress": "${{ github.event_name == 'pull_request' }}",
  });
});

test("ci.yml runs before a merge, in the merge queue and after it", () => {
  expect(read("ci.yml").on).toEqual({
    pull_request: null,
    merge_group: null,
    push: { branches: ["main"] },
  });
});

test("the reporter runs after the workflow CI", () => {
  expect(read("reporter.yml").on["workflow_run"]).toEqual({
    workflows: ["CI"],
    types: ["completed"],
  });
  expect(repositoryFile(`${folder}/ci.yml`)).toMatch(/^name: CI\n/);
});

test("all workflows, including those on pages, pass actionlint, which finds errors", async () => {
  await using dir = await tempDir();
  const bad = repositoryFile(`${folder}/ci-dispatch.yml`)
    .replace("needs: plan", "needs: pan")
    .replace("contents: read", "contents: raed");
  await writeFiles(dir.path, {
    ...Object.fromEntries(
      names.map((name) => [name, repositoryFile(`${folder}/${name}`)]),
    ),
    ...Object.fromEntries(
      shownWorkflows.map(({ text }, index) => [`shown-${index}.yml`, text]),
    ),
    "bad.yml": bad,
  });
  expect(await actionlint(dir.path)).toEqual([
    expect.stringMatching(/^bad\.yml:.* "raed" is invalid for permission/),
    expect.stringMatching(/^bad\.yml:.* job "application" needs job "pan"/),
    expect.stringMatching(/^bad\.yml:.* property "plan" is not defined/),
    expect.stringMatching(/^bad\.yml:.* property "plan" is not defined/),
    expect.stringMatching(/^bad\.yml:.* property "plan" is not defined/),
    expect.stringMatching(/^bad\.yml:.* property "plan" is not defined/),
  ]);
});

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

describe("a guard finds", () => {
  const ci = repositoryFile(`${folder}/ci-dispatch.yml`);
  const reporter = repositoryFile(`${folder}/reporter.yml`);
  const cut = (text: string, from: string | RegExp, to = "") => {
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    return guard(parseWorkflow(changed));
  };

  test.each<[string, string | RegExp, string, string[]]>([
    [
      "a moving tag",
      /@3d3c\S+/,
      "@v7",
      ["plan: actions/checkout@v7 is not pinned by its commit and its release"],
    ],
    [
      "a workflow with permissions",
      "permissions: {}",
      "permissions: read-all",
      ["it doesn't begin with `permissions: {}`"],
    ],
    [
      "a job without permissions",
      / {4}permissions:\n {6}contents: read\n.*\n {6}actions: read\n {4}outputs:\n/,
      "    outputs:\n",
      ["plan: it has no permissions of its own"],
    ],
    [
      "a token left in a checkout",
      "          persist-credentials: false\n",
      "",
      ["plan: its checkout keeps a token"],
    ],
    [
      "a planner that the pull request installs",
      /node "\$RUNNER_TEMP\/\S+"(?=\s+plan)/,
      "yarn ci-dispatch",
      ["plan: Plan runs programs that the workspace installs"],
    ],
    [
      "an install in a job with a token that writes",
      /(history:[^]*?)run: mkdir/,
      "$1run: yarn install && mkdir",
      ["history: Tool runs programs that the workspace installs"],
    ],
    [
      "a tool that a checkout's settings choose",
      /( {6}- name: Tool\n.*\n.*\n)( {6}- uses: actions\/checkout(?:.*\n){9})/,
      "$2$1",
      ["plan: its tool comes after its checkout"],
    ],
    [
      "a checkout into files of an earlier job",
      "find . -mindepth 1 -delete",
      "ls",
      ["plan: its checkout may contain files of an earlier job"],
    ],
    [
      "a token while the tool is fetched",
      /(history:[^]*?)WITH_AFFECTED: "false"/,
      "$1GITHUB_TOKEN: x",
      ["history: the step that fetches its tool has a token"],
    ],
    [
      "a token in all steps",
      /(history:[^]*?) {4}steps:/,
      '$1    env: { T: "${{ github.token }}" }\n    steps:',
      ["history: its token is in the environment of all its steps"],
    ],
    [
      "a pattern that may match a single artifact",
      "@(plan|attestation-*)",
      "attestation-*",
      ["judge: ${{ inputs.name }}-attestation-* may match a single artifact"],
    ],
    [
      "a branch's name in a script",
      "run: >-\n          node",
      "run: >-\n          echo ${{ github.head_ref }} && node",
      [
        expect.stringMatching(
          /^plan: a script contains an expression: echo /,
        ) as unknown as string,
      ],
    ],
    [
      "a job without a time limit",
      "    timeout-minutes: 20\n",
      "",
      ["plan: it has no time limit"],
    ],
    [
      "legs that are cancelled",
      "fail-fast: false",
      "fail-fast: true",
      ["application: a failed leg cancels the others"],
    ],
    [
      "a name that is an expression if its matrix is skipped",
      "  packages:\n    needs",
      "  packages:\n    name: ${{ matrix.job }}\n    needs",
      ["packages: if it is skipped, its name is an expression"],
    ],
    [
      "a matrix that may be empty",
      "any-packages == 'true'",
      "any-application == 'true'",
      ["packages: its matrix may be empty"],
    ],
    [
      "too many legs",
      "matrix: ${{ fromJSON(needs.judge.outputs.matrix) }}",
      `matrix: { a: [${"1,".repeat(17)}], b: [${"1,".repeat(16)}] }`,
      ["again: it has 272 legs"],
    ],
    [
      "a verdict that may be skipped",
      "    if: always() && needs.plan.outputs.verdict",
      "    if: success() && needs.plan.outputs.verdict",
      ["verdict: it may be skipped"],
    ],
    [
      "a verdict that doesn't wait for other jobs",
      "needs: [plan, application, packages, judge, again",
      "needs: [plan, packages, judge, again",
      ["verdict: it does not wait for application"],
    ],
    [
      "a leg that makes the run red despite another machine's result",
      "[matrix.job] }}\n    continue-on-error: true\n",
      "[matrix.job] }}\n",
      ["application: it can make the run red despite a green verdict"],
    ],
    [
      "another machine for a run that a user has cancelled",
      "if: ${{ !cancelled() && needs.judge",
      "if: ${{ always() && needs.judge",
      ["again: it starts after a user has cancelled the run"],
    ],
    [
      "a verdict that may fail",
      "    timeout-minutes: 10\n",
      "    timeout-minutes: 10\n    continue-on-error: true\n",
      ["verdict: it may fail"],
    ],
    [
      "a verdict that is based on `result`",
      "'true'\n",
      "'true' && needs.plan.result == 'success'\n",
      ["it uses `result`, which all legs share"],
    ],
    [
      "a pull request's code in a job with a token that writes",
      "          ref: ${{ github.event.repository.default_branch }}\n",
      "",
      ["publish: its token writes, and it checks out another branch's code"],
    ],
    [
      "runs of main that are cancelled",
      "cancel-in-progress: ${{ github.event_name == 'pull_request' }}",
      "cancel-in-progress: true",
      ["it cancels runs that don't belong to a pull request"],
    ],
    [
      "an artifact in the checkout",
      /(verdict\n) {10}path: \$\{\{ runner.temp \}\}\/ci-dispatch\n/,
      "$1          path: .\n",
      ["publish: an artifact is unpacked into the checkout"],
    ],
    [
      "a cache that a pull request saves",
      "github.event_name == 'push' &&\n          github.ref",
      "github.ref",
      ["plan: a branch that is not the default one saves a cache"],
    ],
    [
      "a secret that tests see",
      "BEGAN: ${{ steps.began.outputs.at }}",
      "BEGAN: ${{ secrets.fetch-env }}",
      ["plan: the step Plan has a secret"],
    ],
    [
      "a secret of a whole job",
      "    # The caller chooses",
      "    env: { TOKEN: '${{ secrets.fetch-env }}' }\n    # The caller chooses",
      ["application: a secret is in the environment of all its steps"],
    ],
    [
      "a secret that install scripts see",
      "SETUP: ${{ inputs.setup }}",
      "SETUP: ${{ secrets.fetch-env }}",
      ["application: the step Set up has a secret"],
    ],
    [
      "a target with a token",
      "workflow_call:",
      "pull_request_target:\n  workflow_call:",
      ["pull_request_target runs with a token that writes"],
    ],
  ])("%s", (_case, from, to, problems) => {
    expect(cut(ci, from, to)).toEqual(problems);
  });

  test("a reporter that checks out the reported commit", () => {
    expect(
      cut(
        reporter,
        "          persist-credentials: false\n",
        "          persist-credentials: false\n          ref: ${{ github.event.workflow_run.head_sha }}\n",
      ),
    ).toEqual([
      "report: its token writes, and it checks out another branch's code",
    ]);
  });

  test("an invalid call", () => {
    const called = read("ci-dispatch.yml");
    expect(
      guardCall(
        { with: { setpu: "x" }, permissions: { contents: "read" } },
        called,
      ),
    ).toEqual([
      "it has no input setpu",
      "its job plan needs actions: read",
      "its job publish needs checks: write",
      "its job publish needs pull-requests: write",
      "its job history needs contents: write",
      "its job history needs actions: read",
      "its job history needs pull-requests: read",
    ]);
    expect(guardCall({}, read("ci.yml"))).toContain("it cannot be called");
  });
});

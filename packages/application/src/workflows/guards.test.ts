import { describe, expect, test } from "@jest/globals";
import { repositoryFile } from "../packed.js";
import { guard, guardCall } from "./guards.js";
import { parseWorkflow } from "./workflow.js";

const folder = ".github/workflows";
const read = (name: string) =>
  parseWorkflow(repositoryFile(`${folder}/${name}`));

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

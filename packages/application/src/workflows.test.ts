import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { repositoryFile, skeinRoot } from "./packed.js";

interface Workflow {
  readonly permissions?: unknown;
  readonly concurrency?: { readonly "cancel-in-progress"?: unknown };
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly permissions?: unknown;
  readonly "timeout-minutes"?: unknown;
  readonly steps: readonly Step[];
}
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const folder = ".github/workflows";

describe.each(
  readdirSync(join(skeinRoot, folder)).filter((name) => name.endsWith(".yml")),
)("%s", (name) => {
  const text = repositoryFile(`${folder}/${name}`);
  const workflow = parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  // A tag can be moved to other code; a commit cannot.
  test("pins every action by its commit, and says which release that is", () => {
    const used = steps.flatMap(({ uses }) =>
      uses === undefined ? [] : [uses],
    );
    expect(used).not.toEqual([]);
    for (const uses of used) {
      expect(uses).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/);
      expect(text).toMatch(new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
  });

  test("starts from no permission, and gives each job its own", () => {
    expect(workflow.permissions).toEqual({});
    for (const job of jobs) expect(job.permissions).toBeDefined();
  });

  test("leaves no token in the checkout", () => {
    for (const step of steps)
      if (step.uses?.startsWith("actions/checkout@") === true)
        expect(step.with?.["persist-credentials"]).toBe(false);
  });

  // A branch can be named `$(curl …)`: what others write reaches a shell as a variable, never as its text.
  test("writes no expression into a script", () => {
    for (const { run } of steps) expect(run ?? "").not.toContain("${{");
  });

  test("cancels what is out of date on pull requests, and never on main", () => {
    expect(workflow.concurrency?.["cancel-in-progress"]).toBe(
      "${{ github.event_name == 'pull_request' }}",
    );
  });

  test("ends every job that hangs", () => {
    for (const job of jobs) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  });
});

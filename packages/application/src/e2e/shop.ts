import { cp } from "node:fs/promises";
import { join } from "node:path";
import { gitIn, gitTestEnv, json, writeFiles } from "@skein/testing";
import type { Tarball } from "../packed.js";
import { runProgram } from "../process.js";
import { adoptedWorkflow } from "../workflows/shown.js";
import {
  commitAll,
  commitWorkspace,
  makeOrigin,
  packTools,
} from "./packed-workspace.js";

/**
 * A script that kills the leg, like a lost machine: it kills the process of `ci-dispatch exec`, so that nothing can
 * report.
 */
const KILL_LEG = `const { execFileSync } = require("node:child_process");
const ps = (pid, field) => execFileSync("ps", ["-o", field + "=", "-p", String(pid)], { encoding: "utf8" }).trim();
let pid = process.ppid;
while (pid > 1 && !/ci-dispatch.* exec /.test(ps(pid, "args"))) pid = Number(ps(pid, "ppid"));
if (pid > 1) process.kill(pid, "SIGKILL");\n`;

/**
 * An install script that records which job has installed the workspace. If that job had a token, an install script
 * could misuse it.
 */
const NOTE_INSTALL = `const { E2E_ARTIFACTS, GITHUB_JOB } = process.env;
if (E2E_ARTIFACTS) require("node:fs").appendFileSync(E2E_ARTIFACTS + ".installed", GITHUB_JOB + "\\n");\n`;

/** The test of each package. The names are the states that a verdict must report. */
const TESTS: Readonly<Record<string, string>> = {
  broken: `throw new Error("1634 !== 1635");\n`,
  flaky: `const { existsSync, writeFileSync } = require("node:fs");
if (!existsSync("ran")) { writeFileSync("ran", ""); throw new Error("once"); }\n`,
  killed: `process.kill(process.pid, "SIGKILL");\n`,
  lost: KILL_LEG,
  // The first machine is lost, like a spot instance; the second one isn't.
  spot: `const { existsSync, writeFileSync } = require("node:fs");
const seen = process.env.E2E_ARTIFACTS + ".spot";
if (!existsSync(seen)) { writeFileSync(seen, ""); ${KILL_LEG} }\n`,
  fine: "",
  untouched: `throw new Error("nobody changed this");\n`,
};

export interface Shop {
  /** A bare repository in the role of GitHub's. */
  readonly origin: string;
  readonly base: string;
  readonly head: string;
  /**
   * A commit of the branch `bare`, whose settings have no steps of an application suite. It changes the package `fine`.
   */
  readonly bare: string;
  /** The commit before `bare`. */
  readonly settled: string;
  /** The tarballs of the tools, as they would be published. */
  readonly tarballs: readonly Tarball[];
}

/**
 * Builds a workspace that has adopted ci-dispatch according to docs/adopt.md, from the packages in their published
 * form, and a pull request's branch `change` in which every package but one differs.
 */
export async function makeShop(folder: string): Promise<Shop> {
  const work = join(folder, "make");
  const { tarballs, manifest } = await packTools(folder, work);
  await writeFiles(work, {
    ".gitignore": "node_modules\n.yarn/install-state.gz\n",
    // Each job of each run installs the workspace.
    ".yarnrc.yml": "nodeLinker: node-modules\nnmMode: hardlinks-global\n",
    ".github/workflows/ci.yml": adoptedWorkflow("ci.yml"),
    ".github/workflows/metrics.yml": adoptedWorkflow("metrics.yml"),
    ".github/workflows/reporter.yml": adoptedWorkflow("reporter.yml"),
    "package.json": json({
      name: "shop",
      private: true,
      workspaces: ["packages/*"],
      scripts: {
        audit: "affected audit --check",
        postinstall: "node postinstall.js",
      },
      ...manifest,
    }),
    "postinstall.js": NOTE_INSTALL,
    "skein.json": json({
      dispatch: { application: { audit: "audit" }, onePackagePerJob: true },
    }),
    ...Object.fromEntries(
      Object.entries(TESTS).flatMap(([name, test]) => [
        [
          `packages/${name}/package.json`,
          json({ name, version: "1.0.0", scripts: { test: "node test.js" } }),
        ],
        [`packages/${name}/index.js`, "module.exports = 1;\n"],
        [`packages/${name}/test.js`, test],
      ]),
    ),
  });
  const base = await commitWorkspace(work, "A shop");
  gitIn(work, "switch", "--quiet", "--create=change");
  await writeFiles(
    work,
    Object.fromEntries(
      Object.keys(TESTS)
        .filter((name) => name !== "untouched")
        .map((name) => [`packages/${name}/index.js`, "module.exports = 2;\n"]),
    ),
  );
  const head = commitAll(work, "A change");
  gitIn(work, "switch", "--quiet", "--create=bare", "main");
  // The commit determines which units are rechecked. With 0, none is.
  await writeFiles(work, {
    "skein.json": json({ dispatch: { recheck: 0 } }),
  });
  const settled = commitAll(work, "No application suite");
  await writeFiles(work, { "packages/fine/index.js": "module.exports = 3;\n" });
  const bare = commitAll(work, "A change of one package");
  const origin = makeOrigin(folder, work);
  return { origin, base, head, bare, settled, tarballs };
}

/** Checks out a commit as Actions would. */
export async function checkOut(
  origin: string,
  ref: string,
  folder: string,
): Promise<void> {
  const git = async (...args: string[]) => {
    const ended = await runProgram(
      { cwd: origin, env: gitTestEnv },
      "git",
      ...args,
    );
    if (ended.exitCode !== 0) throw new Error(ended.stderr);
  };
  await git("clone", "--quiet", "--no-checkout", origin, folder);
  await git("-C", folder, "fetch", "--quiet", "origin", ref);
  await git("-C", folder, "checkout", "--quiet", "--detach", "FETCH_HEAD");
}

/**
 * Copies the shop's repository without its `ci-history` branch, because other tests may write theirs at the same time.
 */
export async function copyOrigin(
  { origin }: Shop,
  to: string,
): Promise<string> {
  await cp(origin, to, { recursive: true });
  gitIn(to, "update-ref", "-d", "refs/heads/ci-history");
  return to;
}

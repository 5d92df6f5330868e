import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "./temp-dir.js";

/** A commit of a history, with the files that it writes and the paths that it removes. */
export interface CommitSpec {
  readonly branch?: string;
  readonly message?: string;
  readonly files?: Files;
  readonly remove?: readonly string[];
  /**
   * Branches (or marks like `:2`) that this commit merges. They are only parents: `files` must contain the merged
   * content.
   */
  readonly merge?: readonly string[];
  /** The branch or mark from which a new branch starts. */
  readonly from?: string;
  /** Lightweight tags for the commit. */
  readonly tags?: readonly string[];
}

/** The environment of every history: no config, one author, fixed dates. */
export const gitTestEnv: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

/**
 * Runs git in a test and returns its output.
 * @throws with git's message if it fails
 */
export function gitIn(dir: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: dir,
    env: gitTestEnv,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/**
 * Builds a repository from a list of commits with one `git fast-import`: deterministic ids, about ten milliseconds. It
 * checks out the branch `main`, or the first commit's branch.
 */
export function buildHistory(
  dir: string,
  commits: readonly CommitSpec[],
): void {
  const first = commits[0]?.branch ?? "main";
  // Git's template consists of these folders and of files that no test reads.
  for (const name of ["hooks", "info"])
    mkdirSync(join(dir, ".git", name), { recursive: true });
  const { status, stderr } = spawnSync("sh", ["-c", BUILD, first], {
    cwd: dir,
    env: gitTestEnv,
    input: fastImport(commits),
  });
  if (status !== 0) throw new Error(`buildHistory: ${stderr.toString()}`);
}

/**
 * Creates a repository with the commits in stdin, and checks out the branch `$0`. The settings, written without `git
 * config`, keep git from starting maintenance after each commit. A shell runs all commands, because it starts a process
 * faster than the large process of the tests does.
 */
const BUILD = String.raw`git init --quiet --template= --initial-branch="$0" &&
  printf '[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n' >> .git/config &&
  git fast-import --quiet --force && git reset --quiet --hard "$0"`;

function fastImport(commits: readonly CommitSpec[]): Buffer {
  const parts: Buffer[] = [];
  const line = (text: string) => parts.push(Buffer.from(`${text}\n`));
  const data = (content: string | Buffer) => {
    const bytes = Buffer.from(content as string);
    parts.push(Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from("\n"));
  };
  const refOf = (name: string) =>
    name.startsWith(":") ? name : `refs/heads/${name}`;
  commits.forEach((commit, index) => {
    const ref = `refs/heads/${commit.branch ?? "main"}`;
    const who = `Ada <ada@example.com> ${1_767_225_600 + index * 60} +0000`;
    line(`commit ${ref}`);
    line(`mark :${index + 1}`);
    line(`author ${who}`);
    line(`committer ${who}`);
    data(commit.message ?? `commit ${index + 1}`);
    if (commit.from !== undefined) line(`from ${refOf(commit.from)}`);
    for (const other of commit.merge ?? []) line(`merge ${refOf(other)}`);
    for (const path of commit.remove ?? []) line(`D ${quote(path)}`);
    for (const [path, spec] of Object.entries(commit.files ?? {})) {
      if (typeof spec === "string" || Buffer.isBuffer(spec)) {
        line(`M 100644 inline ${quote(path)}`);
        data(spec);
      } else if ("symlink" in spec) {
        line(`M 120000 inline ${quote(path)}`);
        data(spec.symlink);
      } else {
        line(`M 100755 inline ${quote(path)}`);
        data(spec.executable);
      }
    }
    for (const tag of commit.tags ?? []) {
      line(`reset refs/tags/${tag}`);
      line(`from :${index + 1}`);
      line("");
    }
  });
  return Buffer.concat(parts);
}

/** Quotes a path for fast-import, in C style. An unquoted path could not begin with `"` or contain a newline. */
function quote(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

import { spawnSync } from "node:child_process";
import { gitIn, gitTestEnv } from "../history.js";
import type { FakePull, FakeRepository, FakeRun, State } from "./state.js";

export interface RepositorySpec {
  /** A folder with a real git repository; it stays the caller's. */
  readonly dir: string;
  readonly defaultBranch?: string;
  readonly private?: boolean;
  readonly fork?: boolean;
}

export interface PullSpec {
  readonly number: number;
  /** Branches of the repository's folder; a fork's branch is one of them too, under any name. */
  readonly base: string;
  readonly head: string;
  readonly title?: string;
  /** Login; default `octocat`. */
  readonly author?: string;
  /** `owner/name` of the head's repository; the repository itself where it is left out; null for a deleted fork. */
  readonly headRepository?: string | null;
  readonly changedFiles?: number;
}

export interface RunSpec {
  readonly headSha: string;
  /** Default `.github/workflows/ci.yml`. */
  readonly path?: string;
  readonly headBranch?: string;
  readonly headRepository?: string;
  readonly event?: string;
  readonly status?: FakeRun["status"];
  readonly conclusion?: string | null;
}

/** Puts a repository into the server. */
export function addRepository(
  state: State,
  fullName: string,
  spec: RepositorySpec,
): FakeRepository {
  const [owner = "", name = ""] = fullName.split("/");
  const repository: FakeRepository = {
    id: state.nextId(),
    owner,
    name,
    fullName,
    dir: spec.dir,
    defaultBranch: spec.defaultBranch ?? "main",
    private: spec.private ?? false,
    fork: spec.fork ?? false,
    pulls: [],
    workflows: [],
    runs: [],
    dispatching: { runDetails: true, appearsAfter: 0 },
    comments: [],
    checkRuns: [],
    treeCap: 100_000,
  };
  state.repositories.set(fullName.toLowerCase(), repository);
  return repository;
}

/**
 * Opens a pull request between two branches, and writes `refs/pull/N/head` and, where they merge, `refs/pull/N/merge`
 * into the repository, as GitHub does.
 */
export function addPull(repository: FakeRepository, spec: PullSpec): FakePull {
  const { dir, fullName } = repository;
  const commit = (branch: string) =>
    gitIn(dir, "rev-parse", `refs/heads/${branch}`).trim();
  const pull: FakePull = {
    number: spec.number,
    title: spec.title ?? `Pull request ${spec.number}`,
    author: spec.author ?? "octocat",
    baseRef: spec.base,
    baseSha: commit(spec.base),
    headRef: spec.head,
    headSha: commit(spec.head),
    headRepository:
      spec.headRepository === null
        ? undefined
        : (spec.headRepository ?? fullName),
    changedFiles: spec.changedFiles,
  };
  repository.pulls.push(pull);
  writePullRefs(repository, pull);
  return pull;
}

/**
 * Points a pull request's refs to where its head is now; called again after a push. Where the two sides conflict there
 * is no trial merge, and GitHub starts no workflow for it.
 */
export function writePullRefs({ dir }: FakeRepository, pull: FakePull): void {
  const { baseSha, headSha, number } = pull;
  gitIn(dir, "update-ref", `refs/pull/${number}/head`, headSha);
  const trial = spawnSync(
    "git",
    ["merge-tree", "--write-tree", baseSha, headSha],
    { cwd: dir, env: gitTestEnv, encoding: "utf8" },
  );
  const ref = `refs/pull/${number}/merge`;
  if (trial.status !== 0) {
    gitIn(dir, "update-ref", "-d", ref);
    return;
  }
  const parents = ["-p", baseSha, "-p", headSha];
  const message = `Merge ${headSha} into ${baseSha}`;
  const tree = trial.stdout.trim();
  const merge = gitIn(dir, "commit-tree", ...parents, "-m", message, tree);
  gitIn(dir, "update-ref", ref, merge.trim());
}

/** Adds a run, newer than all others; its workflow comes to be with its first run. */
export function addRun(
  state: State,
  repository: FakeRepository,
  spec: RunSpec,
): FakeRun {
  const path = spec.path ?? ".github/workflows/ci.yml";
  const name = path.replace(/^.*\/(.*)\.ya?ml$/, "$1");
  let workflow = repository.workflows.find((known) => known.path === path);
  if (!workflow) {
    workflow = { id: state.nextId(), path, name };
    repository.workflows.push(workflow);
  }
  const runNumber = repository.runs.length + 1;
  const run: FakeRun = {
    id: state.nextId(),
    workflowId: workflow.id,
    path,
    name,
    headBranch: spec.headBranch ?? repository.defaultBranch,
    headSha: spec.headSha,
    headRepository: spec.headRepository ?? repository.fullName,
    event: spec.event ?? "push",
    runNumber,
    inputs: {},
    title: name,
    appearsAfter: 0,
    runAttempt: 1,
    status: spec.status ?? "completed",
    conclusion: spec.conclusion === undefined ? "success" : spec.conclusion,
    createdAt: new Date(1_767_225_600_000 + runNumber * 60_000).toISOString(),
  };
  repository.runs.push(run);
  return run;
}

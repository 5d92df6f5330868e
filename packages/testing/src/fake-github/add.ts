import { strToU8, zipSync, type Zippable } from "fflate";
import { gitIn } from "../history.js";
import { noDelivery } from "./delivery.js";
import { writePullRefs } from "./pull-refs.js";
import type {
  FakeArtifact,
  FakeJob,
  FakePull,
  FakeRepository,
  FakeRun,
  State,
} from "./state.js";

export interface RepositorySpec {
  /** A folder with a real git repository, which the caller owns. */
  readonly dir: string;
  readonly defaultBranch?: string;
  readonly private?: boolean;
  readonly fork?: boolean;
}

export interface PullSpec {
  readonly number: number;
  /** Branches of the repository's folder. A fork's branch is also one of them, under any name. */
  readonly base: string;
  readonly head: string;
  readonly title?: string;
  /** The login; default `octocat`. */
  readonly author?: string;
  /** `owner/name` of the head's repository. Default: the repository itself; null for a deleted fork. */
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
  /** Numbers of pull requests that GitHub links to it. Default: none, as for a fork's. */
  readonly pulls?: readonly number[];
  readonly status?: FakeRun["status"];
  readonly conclusion?: string | null;
  /** ISO 8601; default a minute after the previous run. */
  readonly createdAt?: string;
  /** Default: `createdAt`. */
  readonly startedAt?: string;
  /** Default: `createdAt`. */
  readonly updatedAt?: string;
}

export interface JobSpec {
  readonly name: string;
  /** Default: the run's newest attempt. */
  readonly attempt?: number;
  readonly status?: FakeJob["status"];
  readonly conclusion?: string | null;
  /** This time and the next two are in ISO 8601. Default: the run's. */
  readonly createdAt?: string;
  readonly startedAt?: string;
  readonly completedAt?: string | null;
  readonly runnerName?: string | null;
}

export interface ArtifactSpec {
  readonly name: string;
  /** The files in it, by path. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

/** Adds a repository to the server. */
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
    url: `${state.url}/repos/${fullName}`,
    page: `https://github.com/${fullName}`,
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
    statuses: [],
    delivery: noDelivery(),
    treeCap: 100_000,
  };
  state.repositories.set(fullName.toLowerCase(), repository);
  return repository;
}

/**
 * Opens a pull request between two branches, and writes `refs/pull/N/head` and, if they merge, `refs/pull/N/merge` into
 * the repository, as GitHub does.
 */
export function addPull(repository: FakeRepository, spec: PullSpec): FakePull {
  const { dir, fullName } = repository;
  const branches = [spec.base, spec.head].map((name) => `refs/heads/${name}`);
  const [baseSha = "", headSha = ""] = gitIn(dir, "rev-parse", ...branches)
    .trim()
    .split("\n");
  const pull: FakePull = {
    number: spec.number,
    title: spec.title ?? `Pull request ${spec.number}`,
    author: spec.author ?? "octocat",
    state: "open",
    baseRef: spec.base,
    baseSha,
    headRef: spec.head,
    headSha,
    headRepository:
      spec.headRepository === null
        ? undefined
        : (spec.headRepository ?? fullName),
    changedFiles: spec.changedFiles,
    mergedAs: undefined,
  };
  repository.pulls.push(pull);
  writePullRefs(repository, pull);
  return pull;
}

/** Adds a run, newer than all others. The first run of a workflow creates the workflow. */
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
  const createdAt =
    spec.createdAt ??
    new Date(1_767_225_600_000 + runNumber * 60_000).toISOString();
  const run: FakeRun = {
    id: state.nextId(),
    workflowId: workflow.id,
    path,
    name,
    headBranch: spec.headBranch ?? repository.defaultBranch,
    headSha: spec.headSha,
    headRepository: spec.headRepository ?? repository.fullName,
    event: spec.event ?? "push",
    pulls: spec.pulls ?? [],
    runNumber,
    inputs: {},
    title: name,
    appearsAfter: 0,
    runAttempt: 1,
    status: spec.status ?? "completed",
    conclusion: spec.conclusion === undefined ? "success" : spec.conclusion,
    createdAt,
    startedAt: spec.startedAt ?? createdAt,
    updatedAt: spec.updatedAt ?? createdAt,
    earlier: [],
    jobs: [],
    artifacts: [],
  };
  repository.runs.push(run);
  return run;
}

/** Adds a job to a run. */
export function addJob(state: State, run: FakeRun, spec: JobSpec): FakeJob {
  const status = spec.status ?? "completed";
  const isOver = status === "completed";
  const job: FakeJob = {
    id: state.nextId(),
    name: spec.name,
    attempt: spec.attempt ?? run.runAttempt,
    status,
    conclusion:
      spec.conclusion === undefined
        ? isOver
          ? "success"
          : null
        : spec.conclusion,
    createdAt: spec.createdAt ?? run.createdAt,
    startedAt: spec.startedAt ?? run.startedAt,
    completedAt:
      spec.completedAt === undefined
        ? isOver
          ? run.updatedAt
          : null
        : spec.completedAt,
    runnerName:
      spec.runnerName === undefined ? "GitHub Actions 1" : spec.runnerName,
  };
  run.jobs.push(job);
  return job;
}

/** Adds an artifact to a run, as `actions/upload-artifact` does. */
export function addArtifact(
  state: State,
  run: FakeRun,
  { name, files }: ArtifactSpec,
): FakeArtifact {
  const entries = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === "string" ? strToU8(content) : content,
  ]);
  const artifact: FakeArtifact = {
    id: state.nextId(),
    name,
    archive: zipSync(Object.fromEntries(entries) as Zippable),
    expired: false,
    createdAt: run.updatedAt,
  };
  run.artifacts.push(artifact);
  return artifact;
}

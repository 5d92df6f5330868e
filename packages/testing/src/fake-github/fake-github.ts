/**
 * A GitHub for tests: a real HTTP server with the part of GitHub's REST API that Skein uses.
 *
 * - **State**: repositories are real git repositories on disk, so commits, trees, blobs, comparisons and the files of
 *   pull requests are real answers, which git computes for each request. Pull requests, workflows and runs are in
 *   memory (`state.ts`); the test adds them.
 * - **Protocol**: one file per resource in `resources/`, each operation under the path of GitHub's OpenAPI description.
 *   Lists are paginated with a `Link` header (30 items per page, at most 100), and are truncated as GitHub's: 3,000
 *   files of a pull request, 300 of a comparison, 1,000 filtered runs, a recursive tree at `treeCap`. Every answer has
 *   the rate-limit headers and an ETag; `if-none-match` answers 304 and costs nothing.
 * - **Description**: every request to an operation, and every answer, is checked with GitHub's own OpenAPI description
 *   (`description.ts`; `scripts/extract/openapi.mjs` extracts the operations). A breach fails the test: disposing of
 *   the server throws, and lists each breach. Injected faults are not checked.
 * - **Tokens**: with `tokens`, the server answers 401 for an unknown token, and 403 for one that lacks the operation's
 *   permission.
 * - **The past**: `repository.delivery` has pull requests, runs and publications with all their events, shown as they
 *   were at its `clock`. Part of them is available by GraphQL, which graphql-js executes with GitHub's own schema
 *   (`delivery.ts`).
 * - **Faults**: `github.fail({ operation, times, fault })` injects them; see `faults.ts` for the kinds.
 * - **Log**: `requests` contains every request, including retries; `count` counts them by operation.
 *
 * It does not serve git over HTTP. Clone from the repository's folder instead.
 */
import { addArtifact, addJob, addPull, addRepository, addRun } from "./add.js";
import type {
  ArtifactSpec,
  JobSpec,
  PullSpec,
  RepositorySpec,
  RunSpec,
} from "./add.js";
import { Faults, type Fault } from "./faults.js";
import { listen, serve, type LoggedRequest, type Tokens } from "./server.js";
import type {
  FakeArtifact,
  FakeJob,
  FakePull,
  FakeRepository,
  FakeRun,
  RateLimit,
  State,
} from "./state.js";

export interface FakeGitHubOptions {
  /** The path before every operation. `/api/v3` simulates GitHub Enterprise Server. */
  readonly basePath?: string;
  /** Permissions by token (`contents`, `pull_requests`, `actions`, `metadata`). Default: every token is valid. */
  readonly tokens?: Tokens;
  /** Called with each request before it is answered, for example to push while a client reads pages. */
  readonly before?: (operation: string, url: URL) => void;
}

export interface FakeGitHub extends AsyncDisposable {
  /** The base URL for a client (`GITHUB_API_URL`). */
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  readonly rateLimit: RateLimit;
  /** Returns the number of requests of this operation (`GET /repos/{owner}/{repo}`), including retries. */
  count(operation: string): number;
  addRepository(fullName: string, spec: RepositorySpec): FakeRepository;
  addPull(repository: FakeRepository, spec: PullSpec): FakePull;
  addRun(repository: FakeRepository, spec: RunSpec): FakeRun;
  addJob(run: FakeRun, job: JobSpec): FakeJob;
  addArtifact(run: FakeRun, artifact: ArtifactSpec): FakeArtifact;
  fail(fault: Fault): void;
}

/** Starts an empty server (`await using github = await startFakeGitHub()`). */
export async function startFakeGitHub({
  basePath = "",
  tokens,
  before,
}: FakeGitHubOptions = {}): Promise<FakeGitHub> {
  const faults = new Faults();
  const log: LoggedRequest[] = [];
  const rateLimit: RateLimit = {
    limit: 5000,
    remaining: 5000,
    reset: Math.floor(Date.now() / 1000) + 3600,
  };
  let lastId = 1000;
  const repositories = new Map<string, FakeRepository>();
  const bugs: unknown[] = [];
  const breaches = new Set<string>();
  const { origin, close } = await listen((request, response) => {
    serve(world, request, response).catch((error: unknown) => {
      bugs.push(error);
      response.destroy();
    });
  });
  const state: State = {
    repositories,
    rateLimit,
    url: origin + basePath,
    nextId: () => ++lastId,
  };
  const world = {
    state,
    faults,
    log,
    tokens,
    basePath,
    before,
    breach: (where: string, what: readonly string[]) => {
      for (const each of what) breaches.add(`${where}: ${each}`);
    },
  };
  return {
    url: state.url,
    requests: log,
    rateLimit,
    count: (operation) =>
      log.filter((entry) => entry.operation === operation).length,
    addRepository: (fullName, spec) => addRepository(state, fullName, spec),
    addPull,
    addRun: (repository, spec) => addRun(state, repository, spec),
    addJob: (run, spec) => addJob(state, run, spec),
    addArtifact: (run, spec) => addArtifact(state, run, spec),
    fail: (fault) => faults.add(fault),
    async [Symbol.asyncDispose]() {
      await close();
      if (breaches.size > 0)
        throw new Error(
          `GitHub's description does not allow:\n${[...breaches].join("\n")}`,
        );
      // Otherwise a bug in the fake would look like a broken connection.
      if (bugs.length > 0) throw new AggregateError(bugs, "fake GitHub");
    },
  };
}

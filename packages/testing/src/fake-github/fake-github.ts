/**
 * A GitHub for tests: a real HTTP server that speaks the part of GitHub's REST API which Skein uses.
 *
 * - **State**: repositories are real git repositories on disk, so commits, trees, blobs, comparisons and the files of
 *   pull requests are true answers, asked of git at each request. Pull requests, workflows and runs are kept in memory
 *   (`state.ts`) and are put there by the test.
 * - **Protocol**: one file per resource in `resources/`, each operation under the path of GitHub's OpenAPI description.
 *   Lists come in pages with a `Link` header (30 a page, at most 100), and stop where GitHub's stop: 3,000 files of a
 *   pull request, 300 of a comparison, 1,000 filtered runs, a recursive tree at `treeCap`. Every answer carries the
 *   rate-limit headers and an ETag; `if-none-match` answers 304 and costs nothing.
 * - **Description**: every request to an operation, and every answer, is held against GitHub's own OpenAPI description
 *   (`description.ts`; `scripts/extract-openapi.mjs` takes the operations from it). What it does not allow fails the
 *   test: disposing of the server throws, and names each breach. Errors on command are not looked at.
 * - **Tokens**: with `tokens`, an unknown token is answered 401, and one that lacks the operation's permission 403.
 * - **The past**: `repository.delivery` holds pull requests, runs and publications with all that ever happened to them, seen as
 *   they were at its `clock`; part of them by GraphQL, which graphql-js executes by GitHub's own schema (`delivery.ts`).
 * - **Faults** on command: `github.fail({ operation, times, fault })`; see `faults.ts` for the kinds.
 * - **Log**: `requests` holds every request that came in, retries too; `count` counts them by operation.
 *
 * It does not serve git over HTTP: clone from the repository's folder.
 */
import { addArtifact, addJob, addPull, addRepository, addRun } from "./add.js";
import type {
  ArtifactSpec,
  JobSpec,
  PullSpec,
  RepositorySpec,
  RunSpec,
} from "./add.js";
import { Faults } from "./faults.js";
import type { Fault } from "./faults.js";
import { listen, serve } from "./server.js";
import type { LoggedRequest, Tokens } from "./server.js";
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
  /** `/api/v3` makes it look like GitHub Enterprise Server. */
  readonly basePath?: string;
  /** Permissions by token (`contents`, `pull_requests`, `actions`, `metadata`); without it every token will do. */
  readonly tokens?: Tokens;
  /** Called with each request before it is answered: the place to push while somebody pages. */
  readonly before?: (operation: string, url: URL) => void;
}

export interface FakeGitHub extends AsyncDisposable {
  /** What a client takes as its base URL (`GITHUB_API_URL`). */
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  readonly rateLimit: RateLimit;
  /** How many requests of this operation (`GET /repos/{owner}/{repo}`) came in, retries included. */
  count(operation: string): number;
  addRepository(fullName: string, spec: RepositorySpec): FakeRepository;
  addPull(repository: FakeRepository, spec: PullSpec): FakePull;
  addRun(repository: FakeRepository, spec: RunSpec): FakeRun;
  addJob(run: FakeRun, job: JobSpec): FakeJob;
  addArtifact(run: FakeRun, artifact: ArtifactSpec): FakeArtifact;
  fail(fault: Fault): void;
}

/** Starts a server with nothing in it (`await using github = await startFakeGitHub()`). */
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
      // A mistake in the fake itself must not pass for a broken connection.
      if (bugs.length > 0) throw new AggregateError(bugs, "fake GitHub");
    },
  };
}

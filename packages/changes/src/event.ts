import { ciOf, type Env } from "@skein/ci";
import { findCommit, resolveBase, RepositoryError } from "@skein/git";
import type { Repository } from "@skein/git";
import { showRepository, type GitHub } from "@skein/github";
import { Failure, readRegularText, usageFailure } from "@skein/reporting";
import type { Changeset, Revision } from "./changeset.js";
import { eventOfVariables, parseEvent } from "./event-payload.js";
import type { Asks, CiEvent, EventRange } from "./event-payload.js";
import { readMergeRequest, readPullRequest } from "./event-pull-request.js";
import { compareCommits, compareWithDefaultBranch } from "./event-range.js";
import type { EventWorld, Found } from "./event-range.js";
import type { Range } from "./github-compare.js";
import { lastGreenCommit } from "./github-last-green.js";

export interface EventRequest {
  /** The engine's variables: see `@skein/ci`. */
  readonly env: Env;
  /** The checkout, if any. */
  readonly clone?: Repository | undefined;
  /** GitHub, if Skein may use it. */
  readonly github?: GitHub | undefined;
  readonly deepen: "auto" | "never";
  /** The reaction if neither git nor GitHub has the event's base: throw, or treat everything as affected. */
  readonly onMissingBase: "error" | "everything";
}

/**
 * Reads the event from the engine's own variables, and in GitHub Actions also from the event's file.
 * @throws {Failure} if they are missing, or not in the engine's form
 */
export async function readEvent(env: Env): Promise<CiEvent> {
  const ci = ciOf(env);
  const { event } = ci;
  if (event.kind === "variables") return eventOfVariables(ci, event);
  if (event.name === "" || event.path === "")
    throw usageFailure(
      "there is no GitHub event: GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are not set",
      {
        hint: "outside of GitHub Actions, set --base and --head",
      },
    );
  let payload: unknown;
  try {
    payload = JSON.parse(await readRegularText(event.path));
  } catch (error) {
    throw new Failure("the event in GITHUB_EVENT_PATH cannot be read", {
      place: { file: event.path },
      hint: "set --base and --head",
      cause: error,
    });
  }
  return parseEvent(ci, payload);
}

/**
 * Lists the changes of the event that started the run. It uses git if the commits are in the checkout or can be fetched
 * into it, GitHub otherwise. The working tree is not included.
 *
 * - `pull_request`: the changes of the checked-out trial merge against its first parent. If another commit is checked
 *   out: from the merge base with the base branch to the pull request's head.
 * - `pull_request_target`: from the merge base to the head, by the event's ids only. The base is checked out there, and
 *   the pull request's code cannot influence the comparison: it is read as objects, never checked out or run.
 * - `merge_group`: the group's parent to the group.
 * - `push`: all differences between the branch before and after. For the first push of a branch, and if its former
 *   commit is gone (forced): from the merge base with the default branch; on the default branch itself everything.
 * - `workflow_dispatch`: the inputs `base` (a ref, or `last-green`) and `head`. Without a base: from the merge base
 *   with the default branch; on the default branch everything.
 * - GitLab's merge requests and Buildkite's pull requests: the changes of a checked-out trial merge against its first
 *   parent; else from the merge base with the target branch. GitLab's and Buildkite's pushes and merge queues as above.
 *   Buildkite does not report the commit before a push, so a branch is compared with the default branch.
 * - a deleted branch: nothing. A tag, `schedule` and all other events have no base: everything, with the reason.
 * @throws {GitHubError} if GitHub is needed and cannot answer
 * @throws {RepositoryError} if only git was asked and lacks a commit, with the command that would fetch it
 * @throws {Failure} if the event isn't in GitHub's form, or an input is not a commit
 */
export async function readEventChangeset(
  request: EventRequest,
): Promise<Changeset> {
  const event = await readEvent(request.env);
  const world: EventWorld = {
    repository: event.repository,
    clone: request.clone,
    github: request.github,
    deepen: request.deepen,
  };
  const found = await readRange(world, event, event.asks);
  const head = { name: "HEAD", commit: event.commit };
  const { range, via } =
    found.kind === "found" ? found : giveUp(found, event, head, request);
  const kind = event.repository ? "github-event" : "ci-event";
  return { ...range, source: { kind, event: event.name, via } };
}

function readRange(
  world: EventWorld,
  event: CiEvent,
  asks: EventRange,
): Promise<Found> {
  switch (asks.kind) {
    case "pull-request":
      return readPullRequest(world, asks);
    case "merge-request":
      return readMergeRequest(world, asks);
    case "merge-group":
      return compareCommits(world, {
        base: { name: "the merge group's parent", commit: asks.base },
        head: { name: "the merge group", commit: asks.head },
        how: "direct",
      });
    case "push":
      return readPush(world, event, asks);
    case "dispatch":
      return readDispatch(world, event, asks);
    case "nothing":
      return Promise.resolve(
        fixed({ base: undefined, head: undefined, changes: [], unknown: [] }),
      );
    case "no-base":
      return Promise.resolve(everything(event, asks.detail));
  }
}

async function readPush(
  world: EventWorld,
  event: CiEvent,
  { before, after, forced }: Asks<"push">,
): Promise<Found> {
  const head = { name: event.branch ?? "HEAD", commit: after };
  const known =
    before === undefined
      ? undefined
      : await compareCommits(world, {
          base: { name: "the branch before the push", commit: before },
          head,
          how: "direct",
        });
  if (known?.kind === "found") return known;
  // GitHub knows whether the former commit is gone or only missing in the clone. Without GitHub, only a forced push
  // implies that it is gone.
  if (known && !known.unknownToGitHub && !forced) return known;
  const why =
    before === undefined
      ? event.repository
        ? "was pushed for the first time"
        : "was pushed, and no variable names the commit before it"
      : "was pushed by force over a commit that is gone";
  return withDefaultBranch(world, event, head, why);
}

async function readDispatch(
  world: EventWorld,
  event: CiEvent,
  { base, head }: Asks<"dispatch">,
): Promise<Found> {
  const tip =
    head === undefined
      ? { name: event.branch ?? "HEAD", commit: event.commit }
      : await resolveInput(world, "head", head);
  if (base === undefined)
    return withDefaultBranch(
      world,
      event,
      tip,
      "was started by hand without a base",
    );
  if (base !== "last-green")
    return compareCommits(world, {
      base: await resolveInput(world, "base", base),
      head: tip,
      how: "merge-base",
    });
  const { github, repository } = world;
  const branch = event.branch ?? event.defaultBranch;
  if (
    !github ||
    !repository ||
    branch === undefined ||
    event.workflow === undefined
  )
    return everything(
      event,
      "the base is the newest green commit, which only GitHub knows, and it can't be read from there",
    );
  const { workflow } = event;
  const green = await lastGreenCommit({ github, repository, branch, workflow });
  if (green.kind === "none") return everything(event, green.detail);
  return compareCommits(world, {
    base: { name: "last-green", commit: green.commit },
    head: tip,
    how: "direct",
  });
}

/**
 * Compares with the default branch, if that is another branch. Otherwise everything is affected.
 * @param why the part of the reason that describes the event, for the case without a base
 */
async function withDefaultBranch(
  world: EventWorld,
  event: CiEvent,
  head: Revision,
  why: string,
): Promise<Found> {
  const { branch, defaultBranch } = event;
  const happened = `${branch === undefined ? "this" : JSON.stringify(branch)} ${why}`;
  if (defaultBranch === undefined)
    return everything(event, `${happened}, and no default branch is known`);
  if (branch === defaultBranch)
    return everything(event, `${happened}, and it is the default branch`);
  return compareWithDefaultBranch(world, defaultBranch, head);
}

/** Returns the commit that an input names: a ref on GitHub first, else one in the clone. */
async function resolveInput(
  { github, repository, clone, deepen }: EventWorld,
  input: string,
  name: string,
): Promise<Revision> {
  const remote = repository && (await github?.resolveRef(repository, name));
  if (remote !== undefined) return { name, commit: remote };
  for (const ref of clone ? [`origin/${name}`, name] : []) {
    const local = clone && (await findCommit(clone.git, ref));
    if (local !== undefined) return { name, commit: local };
  }
  if (clone && deepen === "auto") {
    const fetched = await resolveBase(clone, `origin/${name}`, deepen).catch(
      (error: unknown) => {
        if (error instanceof RepositoryError) return undefined;
        throw error;
      },
    );
    if (fetched) return { name, commit: fetched.commit };
  }
  throw usageFailure(
    `the workflow's input ${input} names ${JSON.stringify(name)}, which is not a commit of ${repository ? showRepository(repository) : "this repository"}`,
    { hint: "give it a branch, a tag or a commit's full id" },
  );
}

function fixed(range: Range): Found {
  return { kind: "found", range, via: "git" };
}

function everything(event: CiEvent, detail: string): Found {
  return fixed({
    base: undefined,
    head: { name: event.branch ?? "HEAD", commit: event.commit },
    changes: [],
    unknown: [{ kind: "no-base", detail }],
  });
}

/** Handles commits that neither git nor GitHub has: throws an error, or makes everything affected. */
function giveUp(
  { error }: Extract<Found, { kind: "missing" }>,
  event: CiEvent,
  head: Revision,
  { onMissingBase }: EventRequest,
): { range: Range; via: "git" | "api" } {
  const detail = `the commits that the event ${JSON.stringify(event.name)} names are not in the checkout${event.repository ? ", and GitHub has no comparison of them" : ""}`;
  if (onMissingBase === "error")
    throw (
      error ??
      new Failure(detail, {
        hint: "check out the repository with its history (fetch-depth: 0), or select everything: --fallback all",
      })
    );
  const range = {
    base: undefined,
    head,
    changes: [],
    unknown: [{ kind: "no-base" as const, detail }],
  };
  return { range, via: "git" };
}

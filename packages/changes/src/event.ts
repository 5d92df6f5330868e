import { findCommit, resolveBase, RepositoryError } from "@skein/git";
import type { Repository } from "@skein/git";
import { showRepository } from "@skein/github";
import type { GitHub } from "@skein/github";
import { Failure, readRegularText, usageFailure } from "@skein/reporting";
import type { Changeset, Revision } from "./changeset.js";
import { parseEvent } from "./event-payload.js";
import type { CiEvent, EventEnv, EventRange } from "./event-payload.js";
import { compareCommits, compareWithDefaultBranch } from "./event-range.js";
import type { EventWorld, Found } from "./event-range.js";
import type { Range } from "./github-compare.js";
import { lastGreenCommit } from "./github-last-green.js";
import { readPullRequestChangeset } from "./github-pull-request.js";

export interface EventRequest {
  /** GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_REF, GITHUB_WORKFLOW_REF. */
  readonly env: EventEnv;
  /** The checkout, if there is one. */
  readonly clone?: Repository | undefined;
  /** GitHub, if it may be asked. */
  readonly github?: GitHub | undefined;
  readonly deepen: "auto" | "never";
  /** Where a base is named and neither git nor GitHub has it: throw, or everything is affected. */
  readonly onMissingBase: "error" | "everything";
}

/**
 * Reads what happened from GitHub Actions' own variables.
 * @throws {Failure} when they are not there, or not what GitHub sends
 */
export async function readEvent(env: EventEnv): Promise<CiEvent> {
  const path = env["GITHUB_EVENT_PATH"];
  if (!env["GITHUB_EVENT_NAME"] || !path)
    throw usageFailure(
      "there is no GitHub event: GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are not set",
      {
        hint: "outside of GitHub Actions, name the ends with --base and --head",
      },
    );
  let payload: unknown;
  try {
    payload = JSON.parse(await readRegularText(path));
  } catch (error) {
    throw new Failure("the event in GITHUB_EVENT_PATH cannot be read", {
      place: { file: path },
      hint: "name the ends with --base and --head",
      cause: error,
    });
  }
  return parseEvent(env, payload);
}

/**
 * What changed, as the event that started the workflow says it. Git answers where the commits are in the checkout or
 * can be fetched into it, GitHub otherwise; the working tree is no part of it.
 *
 * - `pull_request`: what the trial merge that is checked out changes against its first parent; where something else is
 *   checked out, from the merge base with the base branch to the pull request's head.
 * - `pull_request_target`: the same by the event's ids alone. The base is checked out there, and the pull request's
 *   code has no say in what is compared: it is read as objects, never checked out or run.
 * - `merge_group`: the group's parent to the group.
 * - `push`: all that differs between the branch before and after; the first push of a branch, and one whose former
 *   commit is gone (forced), from the merge base with the default branch; on the default branch itself everything.
 * - `workflow_dispatch`: the inputs `base` (a ref, or `last-green`) and `head`; without a base, the merge base with the
 *   default branch; on the default branch everything.
 * - a deleted branch: nothing. A tag, `schedule` and all other events name no base: everything, with the reason.
 * @throws {GitHubError} when GitHub is needed and cannot answer
 * @throws {RepositoryError} when git alone was asked and lacks a commit, with the command that would fetch it
 * @throws {Failure} when the event is not what GitHub sends, or an input names nothing
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
  return { ...range, source: { kind: "github-event", event: event.name, via } };
}

function readRange(
  world: EventWorld,
  event: CiEvent,
  asks: EventRange,
): Promise<Found> {
  switch (asks.kind) {
    case "pull-request":
      return readPullRequest(world, asks);
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

type Asks<Kind extends EventRange["kind"]> = Extract<
  EventRange,
  { kind: Kind }
>;

async function readPullRequest(
  world: EventWorld,
  { pullRequest, base, head, trialMerge }: Asks<"pull-request">,
): Promise<Found> {
  const { clone, github, repository } = world;
  const shown = `${showRepository(repository)}#${pullRequest.number}`;
  const merge = trialMerge && clone && (await readMerge(clone, head));
  if (merge) {
    const found = await compareCommits(
      { ...world, github: undefined },
      {
        base: { name: base.branch, commit: merge.onto },
        head: { name: shown, commit: merge.commit },
        how: "direct",
      },
    );
    if (found.kind === "found") return found;
  }
  const commits = {
    base: { name: base.branch, commit: base.commit },
    head: { name: shown, commit: head },
    how: "merge-base" as const,
  };
  const byGit = await compareCommits({ ...world, github: undefined }, commits);
  if (byGit.kind === "found" || !github) return byGit;
  const changeset = await readPullRequestChangeset({ github, pullRequest });
  // Pushed to since: the list is of a head that is not the event's, and only a comparison can be asked by commit.
  if (changeset.head?.commit !== head)
    return compareCommits({ ...world, clone: undefined }, commits);
  const { source, ...range } = changeset;
  return {
    kind: "found",
    range,
    via: source.kind === "pull-request" ? source.via : "api",
  };
}

/** The trial merge of a pull request that is checked out; undefined if HEAD is anything else. */
async function readMerge(
  { git, head }: Repository,
  pullRequestHead: string,
): Promise<{ commit: string; onto: string } | undefined> {
  if (head === undefined) return undefined;
  // As it is stored: a shallow clone's `HEAD^1` says that there is no parent.
  const { stdout } = await git.run(["cat-file", "commit", head]);
  const [headers = ""] = stdout.toString("latin1").split("\n\n");
  const parents = [...headers.matchAll(/^parent ([0-9a-f]+)$/gm)];
  const [onto, merged] = parents.map(([, id]) => id);
  if (parents.length !== 2 || onto === undefined) return undefined;
  return merged === pullRequestHead ? { commit: head, onto } : undefined;
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
  // Whether the former commit is gone or only not here, GitHub knows; without it, only a forced push says so.
  if (known && !known.unknownToGitHub && !forced) return known;
  const why =
    before === undefined
      ? "was pushed for the first time"
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
  if (!github || branch === undefined || event.workflow === undefined)
    return everything(
      event,
      "the newest green commit was asked for, and GitHub cannot be asked for it",
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

/** @param why what happened to the branch, for the reason where there is nothing to compare it with */
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

/** The commit that an input names: a name of GitHub's first, else one of the clone's. */
async function resolveInput(
  { github, repository, clone, deepen }: EventWorld,
  input: string,
  name: string,
): Promise<Revision> {
  const remote = await github?.resolveRef(repository, name);
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
    `the workflow's input ${input} names ${JSON.stringify(name)}, which is no commit of ${showRepository(repository)}`,
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

/** Nobody has the commits: an error, or everything. */
function giveUp(
  { error }: Extract<Found, { kind: "missing" }>,
  event: CiEvent,
  head: Revision,
  { onMissingBase }: EventRequest,
): { range: Range; via: "git" | "api" } {
  const detail = `the commits that the event ${JSON.stringify(event.name)} names are not in the checkout, and GitHub has no comparison of them`;
  if (onMissingBase === "error")
    throw (
      error ??
      new Failure(detail, {
        hint: "check the repository out with its history (fetch-depth: 0), or take everything: --fallback all",
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

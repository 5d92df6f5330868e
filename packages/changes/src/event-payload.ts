import type { Ci, CiChange } from "@skein/ci";
import { isObjectId } from "@skein/git";
import { parseRepository } from "@skein/github";
import type { PullRequestName, RepositoryName } from "@skein/github";
import { Failure } from "@skein/reporting";

/** The event that started the run, and the commits that it can be compared with. */
export interface CiEvent {
  /** `pull_request`, `push`, `merge_request_event`, … */
  readonly name: string;
  /** The repository at GitHub; undefined in other engines, because Skein doesn't use GitHub there. */
  readonly repository: RepositoryName | undefined;
  /** The commit that the engine checks out (`GITHUB_SHA`). */
  readonly commit: string;
  /** The branch that the event is for, without `refs/heads/`; undefined for a tag or a pull request. */
  readonly branch: string | undefined;
  readonly defaultBranch: string | undefined;
  /** The file name of the workflow: `ci.yml`. */
  readonly workflow: string | undefined;
  readonly asks: EventRange;
}

/** The base and head of an event. */
export type EventRange =
  | {
      readonly kind: "pull-request";
      readonly pullRequest: PullRequestName;
      readonly base: { readonly branch: string; readonly commit: string };
      readonly head: string;
      /**
       * Whether the checkout may be GitHub's trial merge. Never for `pull_request_target`, which checks out the base.
       */
      readonly trialMerge: boolean;
    }
  /** The changes of other engines. A merge request contains the name of its target branch, but no commit of it. */
  | Exclude<CiChange, { readonly kind: "push" }>
  | (Extract<CiChange, { readonly kind: "push" }> & {
      readonly forced: boolean;
    })
  | {
      readonly kind: "dispatch";
      /** The inputs `base` and `head`, as the user wrote them; undefined if they are empty. */
      readonly base: string | undefined;
      readonly head: string | undefined;
    }
  /** There is nothing left to test. */
  | { readonly kind: "nothing" };

/** The range of one kind of event. */
export type Asks<Kind extends EventRange["kind"]> = Extract<
  EventRange,
  { kind: Kind }
>;

/**
 * Reads the event from GitHub Actions' variables and the event's payload.
 * @param payload the parsed content of the file GITHUB_EVENT_PATH
 * @throws {Failure} if it isn't in GitHub's form
 * @see https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function parseEvent(ci: Ci, payload: unknown): CiEvent {
  const name = ci.event.name;
  const repository = parseRepository(ci.repository ?? "");
  const { commit = "" } = ci;
  if (!repository || !isObjectId(commit))
    throw new Failure(
      "GITHUB_REPOSITORY or GITHUB_SHA is missing or not valid",
      {
        hint: "outside of GitHub Actions, set --base and --head",
      },
    );
  return {
    name,
    repository,
    commit,
    branch: branchOf(ci),
    defaultBranch: text(payload, "repository", "default_branch"),
    workflow: ci.run.workflow,
    asks: parseRange(name, repository, payload),
  };
}

/**
 * Reads the event from the variables of an engine that writes no event file. Skein doesn't use GitHub there.
 * @throws {Failure} if they contain no commit
 */
export function eventOfVariables(
  ci: Ci,
  { name, change }: { readonly name: string; readonly change: CiChange },
): CiEvent {
  if (ci.commit === undefined)
    throw new Failure("this CI system's variables contain no commit", {
      hint: "set --base and --head",
    });
  return {
    name,
    repository: undefined,
    commit: ci.commit,
    branch: branchOf(ci),
    defaultBranch: ci.defaultBranch,
    workflow: undefined,
    // These engines do not report whether a push was forced. If the former commit is gone, it was.
    asks: change.kind === "push" ? { ...change, forced: true } : change,
  };
}

function branchOf({ ref = "" }: Ci): string | undefined {
  return withoutPrefix(ref, "refs/heads/");
}

function parseRange(
  name: string,
  repository: RepositoryName,
  payload: unknown,
): EventRange {
  switch (name) {
    case "pull_request":
    case "pull_request_review":
    case "pull_request_review_comment":
    case "pull_request_target": {
      const number = at(payload, "pull_request", "number");
      if (typeof number !== "number") throw malformed(name);
      return {
        kind: "pull-request",
        pullRequest: { repository, number },
        base: {
          branch: text(payload, "pull_request", "base", "ref") ?? "base",
          commit: commitAt(name, payload, "pull_request", "base", "sha"),
        },
        head: commitAt(name, payload, "pull_request", "head", "sha"),
        trialMerge: name !== "pull_request_target",
      };
    }
    case "merge_group":
      return {
        kind: "merge-group",
        base: commitAt(name, payload, "merge_group", "base_sha"),
        head: commitAt(name, payload, "merge_group", "head_sha"),
      };
    case "push":
      return parsePush(payload);
    case "workflow_dispatch":
      return {
        kind: "dispatch",
        base: text(payload, "inputs", "base"),
        head: text(payload, "inputs", "head"),
      };
    default:
      return {
        kind: "no-base",
        detail: `the event ${JSON.stringify(name)} has no base; --base last-green would compare with the newest green commit`,
      };
  }
}

function parsePush(payload: unknown): EventRange {
  const ref = text(payload, "ref") ?? "";
  const before = commitAt("push", payload, "before");
  const after = commitAt("push", payload, "after");
  if (isZero(after)) return { kind: "nothing" };
  if (!ref.startsWith("refs/heads/"))
    return {
      kind: "no-base",
      detail: `${JSON.stringify(ref)} was pushed, and a tag has no base`,
    };
  return {
    kind: "push",
    before: isZero(before) ? undefined : before,
    after,
    forced: at(payload, "forced") === true,
  };
}

/** Returns whether an id consists of zeros, which means that there is no commit. */
function isZero(id: string): boolean {
  return /^0+$/.test(id);
}

function withoutPrefix(ref: string, prefix: string): string | undefined {
  return ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  );
}

function text(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

function commitAt(
  name: string,
  payload: unknown,
  ...path: readonly string[]
): string {
  const found = text(payload, ...path);
  if (found === undefined || !isObjectId(found))
    throw malformed(name, path.join("."));
  return found;
}

function malformed(name: string, field?: string): Failure {
  return new Failure(
    `the event ${JSON.stringify(name)} in GITHUB_EVENT_PATH is not in GitHub's format${field === undefined ? "" : `: ${field} is missing`}`,
    { hint: "set --base and --head" },
  );
}

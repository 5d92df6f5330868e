import type { Ci, Env } from "./ci.js";
import { count } from "./read.js";

/** Reads GitHub Actions' variables. The event's file describes the change. */
export function githubActions(env: Env): Omit<Ci, "engine"> {
  const repository = env["GITHUB_REPOSITORY"];
  const server = env["GITHUB_SERVER_URL"];
  const id = env["GITHUB_RUN_ID"];
  return {
    isCi: env["CI"] !== undefined,
    repository,
    server,
    commit: env["GITHUB_SHA"],
    ref: env["GITHUB_REF"],
    defaultBranch: undefined,
    pull: undefined,
    run: {
      id,
      attempt: count(env, "GITHUB_RUN_ATTEMPT") ?? 1,
      url: githubRunUrl({ repository, server }, Number(id)),
      job: env["GITHUB_JOB"],
      workflow: /\/([^/@]+)@/.exec(env["GITHUB_WORKFLOW_REF"] ?? "")?.[1],
    },
    log: { commands: env["GITHUB_ACTIONS"] === "true" },
    outputs: env["GITHUB_OUTPUT"],
    summary: env["GITHUB_STEP_SUMMARY"],
    event: {
      kind: "file",
      name: env["GITHUB_EVENT_NAME"] ?? "",
      path: env["GITHUB_EVENT_PATH"] ?? "",
    },
  };
}

/** Returns the URL of a run's page in GitHub Actions; undefined if the id isn't valid. */
export function githubRunUrl(
  { repository, server }: Pick<Ci, "repository" | "server">,
  id: number,
): string | undefined {
  return Number.isSafeInteger(id) && id > 0
    ? `${server ?? GITHUB}/${repository ?? ""}/actions/runs/${id}`
    : undefined;
}

/** The URL of GitHub's own server. */
export const GITHUB = "https://github.com";

/** The settings for requests to GitHub, in a run and on a person's machine. */
export interface GitHubAccess {
  /** The value of `GITHUB_TOKEN`, which may be empty. A secret. */
  readonly token: string | undefined;
  /** The first of `GITHUB_TOKEN` and `GH_TOKEN` that is not empty. A secret. */
  readonly anyToken: string | undefined;
  /** `owner/name` of the run's repository; undefined if no variable contains it. Untrusted text. */
  readonly repository: string | undefined;
  /** The URL of the API; undefined if no variable contains it. */
  readonly apiUrl: string | undefined;
  /** The URL of the server; undefined if no variable contains it. */
  readonly server: string | undefined;
}

/** Returns the settings for requests to GitHub, in any engine. */
export function githubAccessOf(env: Env): GitHubAccess {
  const token = env["GITHUB_TOKEN"];
  return {
    token,
    anyToken: [token, env["GH_TOKEN"]].find(Boolean),
    repository: env["GITHUB_REPOSITORY"],
    apiUrl: env["GITHUB_API_URL"],
    server: env["GITHUB_SERVER_URL"],
  };
}

/** Returns the environment for a child process that must not write into this step's outputs and summary. */
export function withoutStepFiles(env: Env): Env {
  return { ...env, GITHUB_STEP_SUMMARY: "", GITHUB_OUTPUT: "" };
}

import type { Ci, Env } from "./ci.js";
import { count } from "./read.js";

/** Reads GitHub Actions' variables. What the change is, stands in the event's file. */
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
      leg: undefined,
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

/** Returns the page of a run of GitHub Actions; undefined where the id is none. */
export function githubRunUrl(
  { repository, server }: Pick<Ci, "repository" | "server">,
  id: number,
): string | undefined {
  return Number.isSafeInteger(id) && id > 0
    ? `${server ?? GITHUB}/${repository ?? ""}/actions/runs/${id}`
    : undefined;
}

/** Address of GitHub's own server. */
export const GITHUB = "https://github.com";

/** How GitHub is asked, in a run and on a person's machine. */
export interface GitHubAccess {
  /** `GITHUB_TOKEN` as it is, perhaps empty. A secret. */
  readonly token: string | undefined;
  /** The first of `GITHUB_TOKEN` and `GH_TOKEN` that is not empty. A secret. */
  readonly anyToken: string | undefined;
  /** `owner/name` of the run's repository; undefined where no variable names one. Untrusted text. */
  readonly repository: string | undefined;
  /** Address of the API; undefined where no variable names one. */
  readonly apiUrl: string | undefined;
  /** Address of the server; undefined where no variable names one. */
  readonly server: string | undefined;
}

/** Returns how GitHub is asked, whichever engine runs this process. */
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

/** The environment for a child process that must not write into this step's outputs and summary. */
export function withoutStepFiles(env: Env): Env {
  return { ...env, GITHUB_STEP_SUMMARY: "", GITHUB_OUTPUT: "" };
}

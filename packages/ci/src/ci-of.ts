import { buildkite } from "./buildkite.js";
import type { Ci, Engine, Env } from "./ci.js";
import { githubActions } from "./github-actions.js";
import { gitlabCi } from "./gitlab-ci.js";

const READERS: Readonly<Record<Engine, (env: Env) => Omit<Ci, "engine">>> = {
  "github-actions": githubActions,
  "gitlab-ci": gitlabCi,
  buildkite,
};

/**
 * Returns what the CI engine reports about this process. Pure. Outside of the engines that Skein supports, it reads
 * GitHub's variables anyway, because people set them on their machines, `GITHUB_REPOSITORY` for example.
 * @see https://docs.github.com/actions/reference/workflows-and-actions/variables
 * @see https://docs.gitlab.com/ci/variables/predefined_variables/
 * @see https://buildkite.com/docs/pipelines/configure/environment-variables
 */
export function ciOf(env: Env): Ci {
  const engine = engineOf(env);
  return { engine, ...READERS[engine ?? "github-actions"](env) };
}

function engineOf(env: Env): Engine | undefined {
  if (env["GITHUB_ACTIONS"] === "true") return "github-actions";
  if (env["GITLAB_CI"] === "true") return "gitlab-ci";
  if (env["BUILDKITE"] === "true") return "buildkite";
  return undefined;
}

import { buildkite } from "./buildkite.js";
import { ENGINES, type Ci, type Engine, type Env } from "./ci.js";
import { githubActions } from "./github-actions.js";
import { gitlabCi } from "./gitlab-ci.js";

interface EngineReader {
  /** The variable that is `true` in every job of the engine. */
  readonly mark: string;
  readonly read: (env: Env) => Omit<Ci, "engine">;
}

const READERS: Readonly<Record<Engine, EngineReader>> = {
  "github-actions": { mark: "GITHUB_ACTIONS", read: githubActions },
  "gitlab-ci": { mark: "GITLAB_CI", read: gitlabCi },
  buildkite: { mark: "BUILDKITE", read: buildkite },
};

/**
 * Returns what the CI engine reports about this process. Pure. Outside of the engines that Skein supports, it reads
 * GitHub's variables anyway, because people set them on their machines, `GITHUB_REPOSITORY` for example.
 * @see https://docs.github.com/actions/reference/workflows-and-actions/variables
 * @see https://docs.gitlab.com/ci/variables/predefined_variables/
 * @see https://buildkite.com/docs/pipelines/configure/environment-variables
 */
export function ciOf(env: Env): Ci {
  const engine = ENGINES.find((each) => env[READERS[each].mark] === "true");
  return { engine, ...READERS[engine ?? "github-actions"].read(env) };
}

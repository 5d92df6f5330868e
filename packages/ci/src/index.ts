export type { Ci, CiChange, Engine, Env } from "./ci.js";
export { ENGINE_TITLES, ENGINES } from "./ci.js";
export { ciOf } from "./ci-of.js";
export {
  GITHUB,
  githubAccessOf,
  githubRunUrl,
  withoutStepFiles,
} from "./github-actions.js";

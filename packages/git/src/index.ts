export { openGit, neutralEnv, GitError } from "./git.js";
export type { Git, GitResult, GitRunOptions, OpenGitOptions } from "./git.js";
export { openObjects } from "./cat-file.js";
export type { GitObject, ObjectReader } from "./cat-file.js";

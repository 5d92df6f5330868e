export { json, tempDir, writeFiles } from "./temp-dir.js";
export type { Files, FileSpec } from "./temp-dir.js";
export { buildHistory, gitIn, gitTestEnv } from "./history.js";
export type { CommitSpec } from "./history.js";
export { yarnIn, yarnPath, yarnTestEnv } from "./yarn.js";

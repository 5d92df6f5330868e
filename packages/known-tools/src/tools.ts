import type { Tool } from "./tool.js";
import { BUILDERS } from "./tools/builders.js";
import { CHECKERS } from "./tools/checkers.js";
import { OTHER_LANGUAGES } from "./tools/other-languages.js";
import { TEST_RUNNERS } from "./tools/test-runners.js";

/**
 * The supported programs, one entry each. A script that runs any other program may read everything in the groups of
 * `SETTINGS`.
 */
export const TOOLS: readonly Tool[] = [
  ...TEST_RUNNERS,
  ...BUILDERS,
  ...CHECKERS,
  ...OTHER_LANGUAGES,
];

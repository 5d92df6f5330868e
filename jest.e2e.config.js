import config from "./jest.config.js";

// What needs more than Node, npm and git, and takes longer: `yarn test:e2e`.
export default {
  ...config,
  testMatch: ["**/dist/**/*.e2e.js"],
  testTimeout: 600_000,
  // Of those that are `test.concurrent`: act starts processes of its own.
  maxConcurrency: 2,
};

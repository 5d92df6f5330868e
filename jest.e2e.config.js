import config from "./jest.config.js";

// Tests that need more than Node, npm and git, and that take longer: `yarn test:e2e`.
export default {
  ...config,
  testMatch: ["**/dist/**/*.e2e.js"],
  testTimeout: 600_000,
  // Limits tests that are `test.concurrent`, because act starts further processes.
  maxConcurrency: 2,
};

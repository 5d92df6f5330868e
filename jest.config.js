// Tests run on compiled output: what is tested is what ships, and nothing is transformed.
export default {
  testMatch: ["**/dist/**/*.test.js"],
  transform: {},
  testTimeout: 30_000,
  // Most tests wait for git, Yarn or a server; Jest's own choice on two cores is one test at a time.
  maxWorkers: "100%",
  // One process for them all grows to gigabytes.
  workerIdleMemoryLimit: "1GB",
  modulePathIgnorePatterns: ["<rootDir>/.*/fixtures/"],
};

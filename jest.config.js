// Tests run on compiled output: what is tested is what ships, and nothing is transformed.
export default {
  testMatch: ["**/dist/**/*.test.js"],
  transform: {},
  testTimeout: 30_000,
  modulePathIgnorePatterns: ["<rootDir>/.*/fixtures/"],
};

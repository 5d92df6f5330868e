import { expect, test } from "@jest/globals";
import { isJest } from "./jest.js";

test.each([
  ["jest", true],
  ["jest --config ../../jest.config.js --rootDir .", true],
  ["NODE_OPTIONS=--experimental-vm-modules jest", true],
  ["cross-env CI=1 npx jest --ci", true],
  ["node --experimental-vm-modules ../../node_modules/jest/bin/jest.js", true],
  ["yarn build && yarn jest", true],
  ["jest && eslint .", false],
  ["jest | tee log", false],
  ["vitest run", false],
  ["echo jest", false],
  ["node jest-results.js", false],
  ["jest --json --outputFile=reports/jest.json", false],
  ["jest --shard=1/2", false],
  ["jest --watchAll", false],
  ["", false],
])("%s", (command, expected) => {
  expect(isJest(command)).toBe(expected);
});

import { expect, test } from "@jest/globals";
import { canShareEnv, parsePlainJest } from "./plain-jest.js";

test.each([
  ["jest", {}, []],
  ["  jest --ci\t-i src/a ", {}, ["--ci", "-i", "src/a"]],
  [
    "TZ=UTC NODE_OPTIONS='--no-warnings --enable-source-maps' A= jest -t \"a b\"",
    {
      TZ: "UTC",
      NODE_OPTIONS: "--no-warnings --enable-source-maps",
      A: "",
    },
    ["-t", "a b"],
  ],
  ["jest --config=../jest.json 'a'b", {}, ["--config=../jest.json", "ab"]],
])("plain Jest: %s", (command, assigned, args) => {
  expect(parsePlainJest(command, [])).toEqual({ assigned, args });
});

test.each([
  "",
  "A=1",
  "tsc",
  "jestx",
  "yarn jest",
  "npx jest",
  "node jest",
  "tsc && jest",
  "jest; tsc",
  "jest | cat",
  "jest > log",
  "jest $ARGS",
  'jest "$ARGS"',
  "jest `cat args`",
  "jest src/*",
  "jest {a,b}",
  "jest ~/a",
  "jest 'open",
  'jest "a\\"b"',
  "jest a\\ b",
  "jest # a",
  "jest\ntsc",
  "jest --watch",
  "jest --watchAll=false",
  "jest --bail",
  "jest --projects a",
  "jest --updateSnapshot",
  "jest -u",
  "jest -iu",
  "jest --",
])("more than plain Jest: %j", (command) => {
  expect(parsePlainJest(command, [])).toBeUndefined();
});

test("arguments of the run follow those of the script, unchanged", () => {
  expect(parsePlainJest("jest --ci", ["$a *"])).toEqual({
    assigned: {},
    args: ["--ci", "$a *"],
  });
  expect(parsePlainJest("jest --ci", ["--watch"])).toBeUndefined();
});

test.each<[Readonly<Record<string, string>>, boolean]>([
  [{}, true],
  [{ NODE_ENV: "test", NODE_NO_WARNINGS: "1", PATH: "bin" }, true],
  [{ NODE_OPTIONS: "--experimental-vm-modules --max-old-space-size=99" }, true],
  [{ NODE_OPTIONS: "--require ./register.js" }, false],
  [{ NODE_OPTIONS: "--import=tsx" }, false],
  [{ NODE_PATH: "/ws/lib" }, true],
  [{ NODE_PATH: "./src" }, false],
  [{ NODE_EXTRA_CA_CERTS: "ca.pem" }, false],
  [{ LD_PRELOAD: "a.so" }, false],
])("%j can be shared: %s", (env, expected) => {
  expect(canShareEnv(env)).toBe(expected);
});

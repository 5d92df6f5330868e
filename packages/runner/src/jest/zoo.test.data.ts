/** A package of the zoo. */
export interface Species {
  /** Packages run in the order of their names. In a pair, the first changes the process for the second. */
  readonly name: string;
  /** By path in the package's folder; `a.test.js` is the usual test file. */
  readonly files: Readonly<Record<string, string>>;
  /** Default: `jest --ci`. */
  readonly script?: string;
  /** Jest's settings. If they are code, they are in a file of `files` instead. */
  readonly jest?: Readonly<Record<string, unknown>>;
  /** Whether its result comes from a shared process. */
  readonly isBatched: boolean;
  /** Whether it never ends by itself. */
  readonly hangs?: true;
}

/** Files of the root that several packages use. */
export const SHARED = {
  "shared/counting-env.js": `const { TestEnvironment } = require("jest-environment-node");
let count = 0;
module.exports = class extends TestEnvironment { async setup() { await super.setup(); this.global.count = ++count; } };`,
  "shared/preset.js": `const folder = require("path").basename(process.cwd());
module.exports = (api) => { api.cache.forever(); return { plugins: [({ types }) => ({ visitor: { Identifier(path) { if (path.node.name === "FOLDER") path.replaceWith(types.stringLiteral(folder)); } } })] }; };`,
  "shared/config.mjs": `export default { rootDir: process.cwd(), globals: { FOLDER: process.cwd() } };`,
  "shared/plain.mjs": `// Plain data: nothing of the process is in it.
export default { testMatch: ["**/*.test.js"] };`,
  "shared/typescript.js": `// TypeScript 7 has no such function.
const ts = require("@typescript/typescript6");
exports.process = (text) => ({ code: ts.transpileModule(text, { compilerOptions: { module: "commonjs" } }).outputText });`,
};

const passes = `test("passes", () => { expect(1 + 1).toBe(2); });`;
const only = (text: string) => ({ "a.test.js": text });
const check = (text: string) => only(`test("checks", () => { ${text} });`);
const passing = only(passes);

type More = Omit<Partial<Species>, "name" | "files" | "isBatched">;
const species =
  (isBatched: boolean) =>
  (name: string, files: Species["files"], more: More = {}): Species => ({
    ...{ name, files, isBatched },
    ...more,
  });
const batched = species(true);
const unbatched = species(false);

/** Packages that run in a shared process as they do alone. */
const ordinary: readonly Species[] = [
  batched("plain", passing),
  batched("two-files", { ...passing, "b.test.js": passes }),
  batched("reads-its-folder", {
    "data.txt": "own",
    ...check(
      `expect(require("fs").readFileSync("data.txt", "utf8")).toBe("own"); expect(process.cwd()).toBe(__dirname);`,
    ),
  }),
  batched(
    "reads-variables",
    check(
      `expect([process.env.npm_package_name, process.env.INIT_CWD, process.env.A, process.env.NODE_ENV]).toEqual([require("path").basename(__dirname), __dirname, "b c", "test"]);`,
    ),
    { script: "A='b c' jest --ci" },
  ),
  batched("same-names", {
    "lib.js": `module.exports = "same-names";`,
    ...only(
      `jest.mock("./lib.js", () => "mock"); test("mocks", () => { expect(require("./lib.js")).toBe("mock"); expect(jest.requireActual("./lib.js")).toBe("same-names"); });`,
    ),
  }),
  batched("same-names-too", {
    "lib.js": `module.exports = "same-names-too";`,
    ...check(`expect(require("./lib.js")).toBe("same-names-too");`),
  }),
  batched(
    "mocks-a-builtin",
    only(
      `jest.mock("fs"); test("mocks", () => { expect(jest.isMockFunction(require("fs").readFileSync)).toBe(true); });`,
    ),
  ),
  batched(
    "fake-timers",
    check(
      `jest.useFakeTimers(); let done = 0; setTimeout(() => { done = 1; }, 1e6); jest.runAllTimers(); expect(done).toBe(1);`,
    ),
  ),
  batched("snapshot", {
    ...check(`expect({ a: 1 }).toMatchSnapshot();`),
    "__snapshots__/a.test.js.snap": `// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[\`checks 1\`] = \`\n{\n  "a": 1,\n}\n\`;\n`,
  }),
  batched(
    "esm",
    {
      "a.test.mjs": `import { sep } from "node:path"; test("imports", () => { expect(sep).toBe("/"); });`,
    },
    {
      jest: { testMatch: ["**/*.test.mjs"], transform: {} },
      script: "NODE_OPTIONS=--experimental-vm-modules jest --ci",
    },
  ),
  batched(
    "typescript",
    {
      "a.test.ts": `const one: number = 1; test("compiles", () => { expect(one as number).toBe(1); });`,
    },
    { jest: { transform: { "\\.ts$": "../../shared/typescript.js" } } },
  ),
  batched("plain-module", passing, {
    script: "jest --ci --config ../../shared/plain.mjs --rootDir .",
  }),
  batched(
    "prints",
    check(
      `console.log("out"); console.error("err"); process.stdout.write("raw €\\n"); require("fs").writeSync(1, "deep\\n");`,
    ),
  ),
  batched(
    "covers",
    {
      "lib.js": `module.exports = (a) => (a ? 1 : 2);`,
      ...check(`expect(require("./lib.js")(true)).toBe(1);`),
    },
    { script: "jest --ci --coverage" },
  ),
  batched("passes-without-tests", {}, { script: "jest --passWithNoTests" }),
];

/** Packages that fail or never end, even alone. */
const bad: readonly Species[] = [
  unbatched("fails", check(`expect(1).toBe(2);`)),
  unbatched("no-tests", {}),
  unbatched("obsolete-snapshot", {
    ...passing,
    "__snapshots__/a.test.js.snap": `// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[\`gone 1\`] = \`1\`;\n`,
  }),
  unbatched(
    "throws-after-the-end",
    check(
      `setTimeout(() => { throw new Error("late"); }, 300); expect(1).toBe(1);`,
    ),
  ),
  unbatched("exits", check(`process.exit(3);`)),
  unbatched("exits-green", check(`process.exit(0);`)),
  unbatched("crashes", check(`process.kill(process.pid, "SIGKILL");`)),
  unbatched(
    "judges-at-the-exit",
    {
      ...passing,
      "env.js": `process.on("exit", () => { process.exitCode = 5; }); module.exports = require("jest-environment-node");`,
    },
    { jest: { testEnvironment: "./env.js" } },
  ),
  unbatched("leaks-a-timer", check(`setInterval(() => undefined, 100);`), {
    hangs: true,
  }),
  unbatched(
    "leaves-a-process",
    check(
      `require("child_process").spawn("sleep", ["20"], { stdio: "ignore" }).unref();`,
    ),
  ),
  unbatched("broken-settings", {
    ...passing,
    "jest.config.js": `throw new Error("broken");`,
  }),
];

/** Packages that take long to end. */
const slow: readonly Species[] = [
  unbatched("loops", check(`for (;;);`), { hangs: true }),
  unbatched(
    "out-of-memory",
    check(
      `const all = []; for (;;) all.push(new Array(1e5).fill(all.length));`,
    ),
    { script: "NODE_OPTIONS=--max-old-space-size=120 jest --ci" },
  ),
];

/** Packages that need their own process. */
const alone: readonly Species[] = [
  unbatched(
    "sets-up",
    { ...passing, "setup.js": `module.exports = () => undefined;` },
    { jest: { globalSetup: "./setup.js" } },
  ),
  unbatched(
    "threshold",
    {
      "lib.js": `module.exports = () => 1;`,
      ...check(`require("./lib.js");`),
    },
    {
      jest: { coverageThreshold: { global: { functions: 100 } } },
      script: "jest --ci --coverage --coverageReporters=text",
    },
  ),
  unbatched(
    "reports",
    {
      ...passing,
      "reporter.js": `module.exports = class { getLastError() { return new Error("mine"); } };`,
    },
    { jest: { reporters: ["default", "./reporter.js"] } },
  ),
  unbatched("more-than-jest", passing, { script: "true && jest --ci" }),
  unbatched("forced-end", passing, { jest: { forceExit: true } }),
];

/** Pairs whose first package leaves something in the process. With it the second one would pass, but alone it fails. */
const pairs: readonly Species[] = [
  [
    "core",
    `require("fs").leaked = 1;`,
    `expect(require("fs").leaked).toBe(1);`,
  ],
  [
    "realm",
    `require("fs").readFile.constructor("globalThis.leaked = 1")();`,
    `expect(require("fs").readFile.constructor("return globalThis.leaked")()).toBe(1);`,
  ],
  [
    "folder",
    `process.chdir("..");`,
    `expect(require("path").basename(process.cwd())).toBe("packages");`,
  ],
  [
    "flags",
    `require("v8").setFlagsFromString("--expose-gc");`,
    `expect(require("vm").runInNewContext("typeof gc")).toBe("function");`,
  ],
  [
    "server",
    `require("fs").rmSync("../pair.socket", { force: true }); const server = require("net").createServer(); await new Promise((done) => server.listen("../pair.socket", done)); server.unref();`,
    `await new Promise((done, failed) => require("net").connect("../pair.socket", done).on("error", failed)).finally(() => undefined);`,
  ],
  [
    "timer",
    `require("fs").writeFileSync("../pair.beat", ""); const fs = require("fs"); setInterval(() => fs.appendFileSync("../pair.beat", "."), 5).unref();`,
    `const size = () => require("fs").statSync("../pair.beat").size; const before = size(); await new Promise((done) => setTimeout(done, 200)); expect(size() > before).toBe(true);`,
  ],
].flatMap(([name = "", first = "", second = ""]) =>
  [first, second].map((text, index) => ({
    name: `pair-${name}-${index + 1}`,
    files: only(`test("pairs", async () => { ${text} });`),
    isBatched: index === 0,
  })),
);

/** Pairs whose first package leaves something behind through code that Jest loads besides the tests. */
const outerPairs: readonly Species[] = [
  [1, 2].map((index) => ({
    name: `pair-environment-${index}`,
    files: check(`expect(count).toBe(${index});`),
    jest: { testEnvironment: "../../shared/counting-env.js" },
    isBatched: index === 1,
  })),
  [1, 2].map((index) => ({
    name: `pair-babel-${index}`,
    files: {
      ...check(`expect(FOLDER).toMatch(/pair-babel-1$/);`),
      ".babelrc": `{ "presets": ["../../shared/preset.js"] }`,
    },
    isBatched: index === 1,
  })),
  [1, 2].map((index) => ({
    name: `pair-module-${index}`,
    files: check(`expect(FOLDER).toMatch(/pair-module-1$/);`),
    script: "jest --ci --config ../../shared/config.mjs",
    isBatched: index === 1,
  })),
  [1, 2].map((index) => ({
    name: `pair-variable-${index}`,
    files: {
      ...check(`expect(process.env.LEAKED).toBe("1");`),
      ...(index === 1 && {
        "env.js": `process.env.LEAKED = "1"; module.exports = require("jest-environment-node");`,
      }),
    },
    ...(index === 1 && { jest: { testEnvironment: "./env.js" } }),
    isBatched: index === 1,
  })),
].flat();

/** The species that run in CI: each way to end, and one pair of each kind. */
export const QUICK = new Set(
  `reads-variables same-names same-names-too fails obsolete-snapshot exits-green judges-at-the-exit leaks-a-timer
  pair-core-1 pair-core-2 pair-environment-1 pair-environment-2`.split(/\s+/),
);

export const SPECIES: readonly Species[] = [
  ...ordinary,
  ...bad,
  ...slow,
  ...alone,
  ...pairs,
  ...outerPairs,
];

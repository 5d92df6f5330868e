import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { tempDir, writeFiles } from "@skein/testing";

const fromRoot = (path: string) =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const HEART = "packages/references/src/scan/text/style.ts";
const WITH_IO = "../../with-io.js";
const BEHIND_IT = "../../behind-it.js";
const SHELL = "packages/git/src/refs.ts";
const MAIN = "tools/affected/src/main.ts";

/** A file, its code, and the rules that report it. */
type Row = readonly [file: string, code: string, ...reports: readonly string[]];

const PURE_IMPORT = "skein(pure-imports)";
const HIDDEN_INPUT = "skein(no-hidden-inputs)";
const GLOBAL = "eslint(no-restricted-globals)";
const PROPERTY = "eslint(no-restricted-properties)";
const PROTOCOL = "unicorn(prefer-node-protocol)";

const ROWS: readonly Row[] = [
  // Any module with I/O, however it is imported.
  [HEART, `import { readFileSync } from "node:fs";`, PURE_IMPORT],
  [HEART, `import { readFileSync } from "fs";`, PURE_IMPORT, PROTOCOL],
  [HEART, `import "node:fs/promises";`, PURE_IMPORT],
  [HEART, `import { Worker } from "node:worker_threads";`, PURE_IMPORT],
  [HEART, `import { simpleGit } from "simple-git";`, PURE_IMPORT],
  [HEART, `import { openGit } from "@skein/git";`, PURE_IMPORT],
  [HEART, `import * as git from "@skein/git";`, PURE_IMPORT],
  [HEART, `export * from "@skein/git";`, PURE_IMPORT],
  [HEART, `export { openGit } from "@skein/git";`, PURE_IMPORT],
  [HEART, `import { readRegularText } from "@skein/reporting";`, PURE_IMPORT],
  [
    HEART,
    `import { randomUUID } from "node:crypto";`,
    HIDDEN_INPUT,
    PURE_IMPORT,
  ],
  [HEART, `const fs = await import("node:fs");`, PURE_IMPORT],
  [HEART, `const it = await import(name);`, PURE_IMPORT],
  // A neighbour counts for its importers, however far away.
  [HEART, `import { read } from "${WITH_IO}";`, PURE_IMPORT],
  [HEART, `import { read } from "${BEHIND_IT}";`, PURE_IMPORT],
  [HEART, `export { read } from "${BEHIND_IT}";`, PURE_IMPORT],
  [HEART, `const { read } = await import("${WITH_IO}");`, PURE_IMPORT],
  [HEART, `import type { Read } from "${BEHIND_IT}";`],
  ["packages/workspaces/src/affected/a.ts", `import "execa";`, PURE_IMPORT],
  ["packages/workspaces/src/query/a.ts", `import "execa";`, PURE_IMPORT],
  ["packages/workspaces/src/lockfile/a.ts", `import "execa";`, PURE_IMPORT],
  ["tools/ci-dispatch/src/verdict/a.ts", `import "execa";`, PURE_IMPORT],
  ["tools/ci-dispatch/src/failure-classes.ts", `import "execa";`, PURE_IMPORT],
  ["tools/ci-dispatch/src/exec/classify.ts", `import "execa";`, PURE_IMPORT],
  // Values that aren't arguments.
  [HEART, `await fetch(url);`, GLOBAL],
  [HEART, `globalThis.fetch(url);`, GLOBAL],
  [HEART, `process.cwd();`, GLOBAL],
  [HEART, `setTimeout(done);`, GLOBAL],
  [HEART, `crypto.randomUUID();`, GLOBAL],
  [HEART, `new Date();`, HIDDEN_INPUT],
  [HEART, `Date.now();`, PROPERTY],
  [HEART, `Math.random();`, PROPERTY],
  [HEART, `new Date(now);`],
  [HEART, `import type { Git } from "@skein/git";`],
  [HEART, `import { type Git, shellWord } from "@skein/git";`],
  [HEART, `export type { Git } from "@skein/git";`],
  [HEART, `import { digest } from "./digest.js";`],
  [HEART, `const parser = await import("oxc-parser");`],
  // Code outside the decisions does I/O, but gets the clock and randomness as arguments.
  [SHELL, `import { readFileSync } from "node:fs";`],
  [SHELL, `import { readFileSync } from "fs";`, PROTOCOL],
  [SHELL, `import { randomUUID } from "node:crypto";`, HIDDEN_INPUT],
  [SHELL, `import crypto from "node:crypto";`, HIDDEN_INPUT],
  [SHELL, `import { createHash } from "node:crypto";`],
  [SHELL, `crypto.randomUUID();`, GLOBAL],
  [SHELL, `process.cwd();`, GLOBAL],
  [SHELL, `new Date();`, HIDDEN_INPUT],
  [SHELL, `Date();`, HIDDEN_INPUT],
  [SHELL, `performance.now();`, PROPERTY],
  [SHELL, `await fetch(url);`],
  [MAIN, `import { randomUUID } from "node:crypto";`],
  [MAIN, `process.exitCode = Number(new Date());`],
];

/** Files beside each row's folder `scan`. */
const NEIGHBOURS = [
  ["with-io.ts", `import {\n  type Stats,\n  open,\n} from "node:fs";\n`],
  ["behind-it.ts", `export { read } from "./with-io.js";\n`],
] as const;

const RULES = new Set([PURE_IMPORT, HIDDEN_INPUT, GLOBAL, PROPERTY, PROTOCOL]);

/** Lints code in a folder per row, with the settings of this repository. @returns the codes of the reports, by row */
async function lint(rows: readonly Row[]): Promise<readonly string[][]> {
  await using dir = await tempDir();
  const settings = JSON.parse(
    await readFile(fromRoot(".oxlintrc.json"), "utf8"),
  ) as { options: object; overrides: { files: string[] }[] };
  await writeFiles(dir.path, {
    ".oxlintrc.json": JSON.stringify({
      ...settings,
      // The probes have no types, and rules with types are not their subject.
      options: { ...settings.options, typeAware: false },
      overrides: settings.overrides.map((each) => ({
        ...each,
        ...inRows(each),
      })),
    }),
    "scripts/lint-plugin.mjs": await readFile(
      fromRoot("scripts/lint-plugin.mjs"),
      "utf8",
    ),
    ...Object.fromEntries(
      rows.flatMap(([file, code], row): [string, string][] => [
        [`row-${row}/${file}`, `${code}\n`],
        ...NEIGHBOURS.map(([name, text]): [string, string] => [
          `row-${row}/packages/references/src/${name}`,
          text,
        ]),
      ]),
    ),
  });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fromRoot("node_modules/oxlint/bin/oxlint"), "--format=json"],
    { cwd: dir.path },
  ).catch((error: unknown) => error as { readonly stdout: string });
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly {
      readonly code: string;
      readonly filename: string;
    }[];
  };
  return rows.map(([file], row) =>
    diagnostics
      .filter(({ filename }) => filename === `row-${row}/${file}`)
      .map(({ code }) => code)
      .filter((code) => RULES.has(code)),
  );
}

/** Moves the globs of an override into the folder of each row. */
function inRows(override: {
  readonly files: readonly string[];
  readonly excludeFiles?: readonly string[];
}): { files: string[]; excludeFiles?: string[] } {
  const move = (globs: readonly string[]) =>
    globs.map((glob) => (glob.startsWith("**/") ? glob : `row-*/${glob}`));
  return {
    files: move(override.files),
    ...(override.excludeFiles && { excludeFiles: move(override.excludeFiles) }),
  };
}

test("decisions are pure, and only main.ts has a clock and randomness: lint reports the rest", async () => {
  const reports = await lint(ROWS);
  expect(
    ROWS.map(([file, code], row) => [file, code, new Set(reports[row])]),
  ).toEqual(
    ROWS.map(([file, code, ...expected]) => [file, code, new Set(expected)]),
  );
});

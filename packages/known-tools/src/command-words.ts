import type { Walks } from "./tool.js";

/** Programs that look up no settings: those of the shell, and small ones that move files. */
export const PLAIN_PROGRAMS: ReadonlySet<string> = new Set(
  `: # // [ [[ } for done fi case esac basename cat cd chmod clear cp cpr cpx cpy cut date del del-cli diff dirname du echo exit export
  false find grep head kill ln ls make-dir mkdir mkdirp mktemp mv ncp open pkill popd printf ps pushd pwd read readlink
  realpath return rimraf rm rmdir sed set shasum sleep sort source-map-explorer tail tar tee test touch tr trap
  true tsc-watch type ulimit umask unalias uname uniq unset unzip wait wc wget which zip copyfiles cpy-cli cpx2 shx
  sort-package-json manypkg changeset husky is-ci in-publish pinst np npm-check-updates ncu taze
  license-checker all-contributors auto semantic-release release-it standard-version conventional-changelog
  conventional-changelog-cli git gh hub kubectl helm terraform aws gcloud az codecov serve http-server vsce ovsx
  patch-package postinstall-postinstall only-allow premove downlevel-dts publint kill-port npmignore clean-package json prettyoutput ts-prune replace chan
  genversion curl jq lsof pino-pretty watchman webpack-bundle-analyzer cleancss clang-format ktlint yarn-deduplicate
  cliff-jumper typedoc-json-parser`
    .split(/\s+/)
    .filter(Boolean),
);

/** Programs of the shell that read all files of a folder, and git's command that lists them. */
export const SHELL_WALKS: ReadonlyMap<string, Walks> = new Map([
  ...walking(true, "fd", "rg", "tree", "ag", "cloc", "git ls-files"),
  ...walking(false, "find", "grep", "tar", "zip"),
]);

function walking(here: boolean, ...programs: readonly string[]) {
  return programs.map((name) => [name, { end: "", here }] as const);
}

/** Programs of the shell that read a folder only if an argument names it. */
export const COPIES: readonly string[] = ["ls", "rsync", "cp"];

/** Programs that copy files or print them, by patterns and folders. */
export const COPIERS: readonly string[] =
  "cat copyfiles cpr cpx cpx2 cpy cpy-cli ncp shx".split(" ");

/** Plain programs that read the files in their arguments. */
export const READERS: ReadonlySet<string> = new Set([
  ...COPIERS,
  ..."cp find grep head jq mv rsync sed tail tar zip".split(" "),
]);

/** Programs that run another program: the next word after options and assignments. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  `cross-env cross-env-shell env dotenv dotenvx env-cmd time nice npx bunx exec command xvfb-run node-env-run
  varlock infisical doppler op yarn jlpm npm pnpm run exec run-T dlx if then elif else do while until { ! not nohup timeout sudo pnpify nyc c8`
    .split(/\s+/)
    .filter(Boolean),
);

/** Commands of programs that measure coverage, which run no other program: `nyc report`. */
export const OF_COVERAGE: ReadonlySet<string> = new Set([
  "report",
  "check-coverage",
  "instrument",
  "merge",
]);

/** Programs of the table that run any file, as Node does. */
export const RUN_FILES: ReadonlySet<string> = new Set([
  "babel-node",
  "vite-node",
]);

/** Programs that run a file of the project, and look up only `tsconfig.json` themselves. */
export const RUN_MODULES: ReadonlySet<string> = new Set([
  "node",
  "tsx",
  "jiti",
]);

/** Options of programs whose value is a command: `tsup --onSuccess "node dist/x.js"`. */
export const COMMAND_OPTION = /^--(?:on-?success|exec|command)$/i;

/** Programs that run scripts of the package: those in their arguments, or those that its manifest lists in a field. */
export const RUN_SCRIPTS: ReadonlySet<string> = new Set(["npm-watch"]);

/** Programs whose quoted arguments are commands or names of scripts. */
export const RUN_MANY: ReadonlySet<string> = new Set(
  `concurrently npm-run-all npm-run-all2 run-s run-p conc wsrun nodemon tsc-watch onchange chokidar
  start-server-and-test start-test wait-on sh bash zsh . source`
    .split(/\s+/)
    .filter(Boolean),
);

/** Those of them whose arguments are names of scripts. */
export const RUN_NAMED: ReadonlySet<string> = new Set([
  "npm-run-all",
  "npm-run-all2",
  "run-s",
  "run-p",
]);

/** Names of scripts that only test or check, or that publish. `prepublish` often builds. */
const CHECKS =
  /^(?:(?:pre|post)?(?:test|lint|check|typecheck|format|coverage|bench|e2e)|publish|release|deploy|version|changelog)\b/;

/**
 * Returns whether a script, by its name, only tests, checks or publishes: what it does doesn't matter to packages that depend on
 * the package.
 */
export function isCheckScript(name: string): boolean {
  return CHECKS.test(name);
}

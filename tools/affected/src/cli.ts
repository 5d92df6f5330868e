import type { CliWorld, ExitCode } from "@skein/reporting";
import {
  type Declare,
  examples,
  parseCommandLine,
  Program,
} from "@skein/reporting/command-line";
import { addAudit } from "./cli/audit.js";
import { addCache } from "./cli/cache.js";
import { addCompare } from "./cli/compare.js";
import { addFingerprint } from "./cli/fingerprint.js";
import { addGraph } from "./cli/graph.js";
import { addInit } from "./cli/init.js";
import { addList } from "./cli/list.js";
import { addRun } from "./cli/run.js";
import { addTargets } from "./cli/targets.js";
import { addTrace } from "./cli/trace.js";
import { addWatch } from "./cli/watch.js";
import { adderOfWhy } from "./cli/why.js";
import { verbs, type Command } from "./command.js";

const DECLARE: Record<(typeof verbs)[number], Declare<Command>> = {
  list: addList,
  why: adderOfWhy("why"),
  "why-not": adderOfWhy("why-not"),
  run: addRun,
  watch: addWatch,
  graph: addGraph,
  audit: addAudit,
  trace: addTrace,
  compare: addCompare,
  fingerprint: addFingerprint,
  cache: addCache,
  targets: addTargets,
  init: addInit,
};

/**
 * Parses a command line. It prints help to stdout and complaints to stderr.
 * @returns the command; or the exit code, if it printed help or the command line was wrong
 */
export function parseCli({
  argv,
  stdout,
  stderr,
}: Pick<CliWorld, "argv" | "stdout" | "stderr">): Command | ExitCode {
  const [first = "--help"] = argv;
  const asked = verbs.find((verb) => verb === first);
  // `affected test` is `affected run test`, because a script is the most common word after the program's name.
  const isScript =
    !asked && !["help", "completion"].includes(first) && !first.startsWith("-");
  const program = new Program("affected")
    .description(
      "Select the packages whose scripts must run after a change, run the scripts, and explain the selection.",
    )
    .usage("<command> [options]")
    .enablePositionalOptions()
    .addHelpText("after", MORE);
  return parseCommandLine<Command>(
    {
      program,
      module: import.meta.url,
      groups: GROUPS,
      exitCodes: EXIT_CODES,
    },
    // The options of other verbs aren't declared, because declaring takes longer than parsing.
    (asked ? [asked] : isScript ? ["run" as const] : verbs).map(
      (verb) => DECLARE[verb],
    ),
    { argv: isScript ? ["run", ...argv] : argv, stdout, stderr },
  );
}

const MORE = `
\`affected test\` is short for \`affected run test\`. This works for any script.
${examples(
  "affected init                      sets up a workspace, after showing a diff",
  "affected test                      tests what your changes can break",
  "affected list --base origin/main   lists the packages that a branch affects",
  "affected why @acme/app             prints why the package is affected",
  "affected build --filter 'owner(@acme/web) & affected()' -- --watch",
)}`;

/** The commands below each heading of the help. */
const GROUPS = {
  "After a change:": [
    "list",
    "why",
    "why-not",
    "run",
    "watch",
    "graph",
    "targets",
  ],
  "Check the selection:": ["audit", "trace", "compare"],
  "Cached results:": ["fingerprint", "cache"],
} satisfies Readonly<Record<string, readonly (typeof verbs)[number][]>>;

const RAN = {
  0: "nothing failed, or nothing is affected",
  1: "a script failed",
  2: "wrong usage, or no selected package has the script",
  3: "could not decide or run",
};
const ANSWERED = { 0: "done", 2: "wrong usage", 3: "could not decide" };

/** The exit codes in the help, by verb. */
const EXIT_CODES = {
  "": {
    0: "nothing failed",
    1: "a script failed, or a check found something",
    2: "wrong usage",
    3: "could not decide or run",
  },
  list: { ...ANSWERED, 0: "done, even if nothing is affected" },
  why: { ...ANSWERED, 0: "the package is affected", 1: "it isn't affected" },
  "why-not": {
    ...ANSWERED,
    0: "the package isn't affected",
    1: "it is affected",
  },
  run: RAN,
  watch: { 0: "ended by Ctrl-C", 2: RAN[2], 3: RAN[3] },
  graph: ANSWERED,
  audit: {
    ...ANSWERED,
    1: "with --check: a dependency isn't declared",
  },
  trace: {
    ...RAN,
    1: "a script failed; with --check: selection misses a file",
  },
  compare: ANSWERED,
  init: { ...ANSWERED, 1: "with --check: something is out of date" },
  fingerprint: { ...ANSWERED, 3: "an input could not be read" },
  cache: { ...ANSWERED, 3: "the cache could not be read or changed" },
  targets: ANSWERED,
  completion: { 0: "done", 2: "wrong usage" },
};

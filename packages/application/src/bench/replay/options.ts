import { parseArgs } from "node:util";
import { oneOf } from "../options.js";
import { RUNNERS, type Runner } from "./runners.js";

/** The options of `yarn bench:run`. */
export interface ReplayOptions {
  /** The number of packages with three Jest suites each; 0 for none. */
  readonly packages: number;
  /** The number of packages with a trivial script; 0 for none. */
  readonly trivial: number;
  readonly runners: readonly Runner[];
  /** The number of runs of every scenario except the cold ones. */
  readonly runs: number;
  /** Whether to measure false hits. */
  readonly hits: boolean;
  /** Whether to measure answers after a save. */
  readonly watch: boolean;
  /** A Markdown file with the block to replace. */
  readonly out: string | undefined;
  /** The folder to work in. It stays, so that a second run needs no install. */
  readonly dir: string | undefined;
}

const NAMES = RUNNERS.map(({ name }) => name);

/** The help text of `yarn bench:run`. */
export const USAGE = `usage: yarn bench:run [options]
  --packages 100      packages with three Jest suites each (0: none)
  --trivial 1000      packages with the script \`node -e 0\` (0: none)
  --only skein,nx     only these (${NAMES.join(", ")}; default: all)
  --runs 3            runs of each scenario; the cold ones run once
  --no-hits           without the table of false hits
  --no-watch          without the time from a save to the answer of \`affected watch\`
  --out docs/performance.md   also rewrite the block between the two comments there
  --dir FOLDER        work in this folder and keep it (default: a temporary one)
`;

/** Parses the arguments. @throws with a sentence for people if they are invalid */
export function parseOptions(args: readonly string[]): ReplayOptions {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      packages: { type: "string", default: "100" },
      trivial: { type: "string", default: "1000" },
      only: { type: "string", default: NAMES.join() },
      runs: { type: "string", default: "3" },
      hits: { type: "boolean", default: true },
      watch: { type: "boolean", default: true },
      out: { type: "string" },
      dir: { type: "string" },
    },
  });
  const asked = oneOf("--only", values.only.split(","), NAMES);
  return {
    packages: whole("--packages", values.packages),
    trivial: whole("--trivial", values.trivial),
    runners: RUNNERS.filter(({ name }) => asked.includes(name)),
    runs: Math.max(1, whole("--runs", values.runs)),
    hits: values.hits,
    watch: values.watch,
    out: values.out,
    dir: values.dir,
  };
}

function whole(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text))
    throw new Error(`${option} takes a whole number, not "${text}"`);
  return Number(text);
}

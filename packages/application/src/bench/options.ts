import { parseArgs } from "node:util";
import { TOOLS } from "./tools/index.js";
import type { Tool } from "./tools/tool.js";

/** The options of the bench. */
export interface BenchOptions {
  /** The numbers of packages in the generated workspaces, without the application. */
  readonly sizes: readonly number[];
  readonly tools: readonly Tool[];
  readonly runs: number;
  /** The time for all runs of one row at one size. */
  readonly budgetMs: number;
  /** The time for one run. */
  readonly timeoutMs: number;
  readonly parts: ReadonlySet<Part>;
  /** A Markdown file with a block to rewrite. */
  readonly out: string | undefined;
  /** The folder to work in. It is kept, so that a second run doesn't have to install again. */
  readonly dir: string | undefined;
}

/** The parts of the benchmark, in the order in which they run. */
export const PARTS = ["affected", "run", "lockfile"] as const;
export type Part = (typeof PARTS)[number];

/** The help text of `yarn bench:affected`. */
export const USAGE = `usage: yarn bench:affected [options]
  --sizes 100,1000,5000   packages of the generated workspaces
  --peers turborepo,nx    only these beside Skein and Yarn (${TOOLS.map(({ name }) => name).join(", ")}; default: all)
  --runs 5                runs of each, after one that warms up
  --budget 10             seconds for all runs of one row at one size; a slow one is run fewer times
  --timeout 60            seconds for one run; longer runs are stopped, and marked in the table
  --parts ${PARTS.join(",")}   what to measure (default: all)
  --out docs/performance.md   also rewrite the block between the two comments there
  --dir FOLDER            work in this folder and keep it (default: a temporary one)
`;

/** Parses the options. @throws an error for the user if the arguments are wrong */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "100,1000,5000" },
      peers: { type: "string", default: TOOLS.map(({ name }) => name).join() },
      runs: { type: "string", default: "5" },
      budget: { type: "string", default: "10" },
      timeout: { type: "string", default: "60" },
      parts: { type: "string", default: PARTS.join() },
      out: { type: "string" },
      dir: { type: "string" },
    },
  });
  // All tools are compared with Skein, and its plugin needs Yarn.
  const peers = new Set(["skein", "yarn", ...values.peers.split(",")]);
  return {
    sizes: values.sizes.split(",").map((size) => positive("--sizes", size)),
    tools: oneOf(
      "--peers",
      [...peers],
      TOOLS.map(({ name }) => name),
    ).flatMap((name) => TOOLS.filter((tool) => tool.name === name)),
    runs: positive("--runs", values.runs),
    budgetMs: positive("--budget", values.budget) * 1000,
    timeoutMs: positive("--timeout", values.timeout) * 1000,
    parts: new Set(oneOf("--parts", values.parts.split(","), PARTS)),
    out: values.out,
    dir: values.dir,
  };
}

function positive(option: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Error(`${option} takes whole numbers above 0, not "${text}"`);
  return Number(text);
}

/** Returns the requested names, each once, in the order of the supported ones. @throws if one isn't supported */
export function oneOf<Name extends string>(
  option: string,
  asked: readonly string[],
  known: readonly Name[],
): Name[] {
  const stray = asked.find((name) => !known.some((other) => other === name));
  if (stray !== undefined)
    throw new Error(
      `${option} takes ${known.join(", ")}; nothing is called "${stray}"`,
    );
  return known.filter((name) => asked.includes(name));
}

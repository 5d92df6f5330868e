import { parseArgs } from "node:util";
import { RUNNERS } from "./runners.js";
import type { Runner } from "./runners.js";

/** The options of `yarn bench:run`. */
export interface ReplayOptions {
  /** Packages with three Jest suites each; 0 for none. */
  readonly packages: number;
  /** Packages with a trivial script; 0 for none. */
  readonly trivial: number;
  readonly runners: readonly Runner[];
  /** Runs of every scenario but the cold ones. */
  readonly runs: number;
  /** Whether the table of false hits is made. */
  readonly hits: boolean;
  /** Whether answers after a save are measured. */
  readonly watch: boolean;
  /** A Markdown file whose block is rewritten. */
  readonly out: string | undefined;
  /** Where to work and leave everything, so that a second run need not install again. */
  readonly dir: string | undefined;
}

export const USAGE = `usage: yarn bench:run [options]
  --packages 100      packages with three Jest suites each (0: none)
  --trivial 1000      packages with the script \`node -e 0\` (0: none)
  --only skein,nx     only these (${RUNNERS.map(({ name }) => name).join(", ")}; default: all)
  --runs 3            runs of each scenario; the cold ones run once
  --no-hits           without the table of false hits
  --no-watch          without the time from a save to the answer of \`affected watch\`
  --out docs/performance.md   also rewrite the block between the two comments there
  --dir FOLDER        work in this folder and keep it (default: a temporary one)
`;

/** @throws with a sentence for a person, where the arguments are wrong */
export function parseOptions(args: readonly string[]): ReplayOptions {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      packages: { type: "string", default: "100" },
      trivial: { type: "string", default: "1000" },
      only: { type: "string" },
      runs: { type: "string", default: "3" },
      hits: { type: "boolean", default: true },
      watch: { type: "boolean", default: true },
      out: { type: "string" },
      dir: { type: "string" },
    },
  });
  const asked = values.only?.split(",") ?? RUNNERS.map(({ name }) => name);
  const stray = asked.find(
    (name) => !RUNNERS.some((each) => each.name === name),
  );
  if (stray !== undefined)
    throw new Error(
      `--only takes ${RUNNERS.map(({ name }) => name).join(", ")}; "${stray}" is unknown`,
    );
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

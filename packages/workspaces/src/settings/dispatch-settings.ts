import {
  boolean,
  checkNames,
  number,
  object,
  quoted,
  recordOf,
  section,
  setting,
  string,
  strings,
  whole,
} from "./readers.js";
import type { At, Reader, ValuesOf } from "./readers.js";

/** The maximum number of jobs of one matrix on GitHub: https://docs.github.com/actions/reference/limits */
export const MATRIX_CAP = 256;

/** A step of the application suite, which runs after every change. */
export interface ApplicationStep {
  /** The name of the step, which is unique and part of its jobs' names. */
  readonly name: string;
  readonly script: string;
  /** The package of the script; undefined for the root. */
  readonly workspace: string | undefined;
  /** The number of jobs that it is split into; undefined to derive it from the target duration. */
  readonly shards: number | undefined;
  /** Whether an earlier result with the same fingerprint may be reused. By default it runs in every build. */
  readonly reuse?: true;
  /** The pool of machines that runs it. Left out: that of its package. */
  readonly pool?: string;
}

/**
 * The form of a pool's name. It becomes part of a job's id, so it must mean nothing to a shell, to YAML or to Markdown.
 */
export const POOL_NAME = /^[a-z][a-z0-9-]{0,31}$/;

const POOL_WORDS =
  "lowercase letters, digits and hyphens, starting with a letter, at most 32 characters";

/** Each pool has at least one job, and a matrix has 256 legs. */
const POOLS_MOST = 32;

/** All values of `dispatch.inline`. */
export const INLINE_MODES = ["auto", "never", "always"] as const;
export type InlineMode = (typeof INLINE_MODES)[number];

/** All values of `dispatch.reuse`. */
export const REUSE_MODES = ["fingerprint", "never"] as const;
export type ReuseMode = (typeof REUSE_MODES)[number];

function oneOf<Mode extends string>(modes: readonly Mode[]): Reader<Mode> {
  return (value, at) =>
    modes.find((mode) => mode === value) ??
    at.fail(`${quoted(at)} must be one of ${modes.join(", ")}`);
}

/**
 * Reads a list that must not be empty. Without a script, no affected package would be tested, and every verdict would
 * be green.
 */
const readScripts: Reader<readonly string[]> = (value, at) => {
  const scripts = strings(value, at);
  if (scripts.length === 0)
    at.fail(
      `${quoted(at)} must name at least one script, or no affected package is tested; leave it out for "test"`,
    );
  return scripts;
};

const readPools: Reader<Readonly<Record<string, readonly string[]>>> = (
  value,
  at,
) => {
  const pools = recordOf(strings)(value, at);
  const names = Object.keys(pools);
  for (const name of names)
    if (!POOL_NAME.test(name)) {
      const place = at.member(name);
      place.fail(`${quoted(place)} isn't the name of a pool: ${POOL_WORDS}`);
    }
  if (names.length > POOLS_MOST)
    at.fail(`${quoted(at)} has more than ${POOLS_MOST} pools`);
  return pools;
};

/** Reads a step: `"lint"`, or `{"script": "test", "workspace": "@acme/app", "shards": 3}`. */
function readStep(name: string, value: unknown, at: At): ApplicationStep {
  // A step's name becomes part of a job's name, so it must be safe in a shell, in YAML and in Markdown.
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    at.fail(
      `${quoted(at)} isn't a valid step name: use lowercase letters, digits and hyphens, at most 40 characters`,
    );
  if (typeof value === "string")
    return {
      name,
      script: string(value, at),
      workspace: undefined,
      shards: undefined,
    };
  const step = object(value, at);
  checkNames(step, ["script", "workspace", "shards", "reuse", "pool"], at);
  const { script, workspace, shards, reuse, pool } = step;
  return {
    name,
    script: string(script, at.member("script")),
    workspace:
      workspace === undefined
        ? undefined
        : string(workspace, at.member("workspace")),
    shards:
      shards === undefined
        ? undefined
        : whole(1, MATRIX_CAP)(shards, at.member("shards")),
    ...(reuse !== undefined &&
      boolean(reuse, at.member("reuse")) && { reuse: true as const }),
    ...(pool !== undefined && { pool: readPool(pool, at.member("pool")) }),
  };
}

const readPool: Reader<string> = (value, at) => {
  const name = string(value, at);
  if (!POOL_NAME.test(name))
    at.fail(`${quoted(at)} must be the name of a pool: ${POOL_WORDS}`);
  return name;
};

const readSteps: Reader<readonly ApplicationStep[]> = (value, at) =>
  Object.entries(object(value, at)).map(([name, step]) =>
    readStep(name, step, at.member(name)),
  );

/** When the default branch records traces, and for how long. */
const traces = section({
  /** The number of hours after a recording in which pushes record nothing. */
  everyHours: setting(number(0, 8_760), 24),
  /** The expected duration of the units that one run records, in seconds; 0 for none. */
  budgetSeconds: setting(number(0, 7_200), 600),
});

const seconds = number(1, 21_600);

/** The timeout of a unit: a multiple of its P90, within bounds. */
export type TimeoutSettings = ValuesOf<typeof timeout>;
const timeout = section({
  factor: setting(number(1, 100), 3),
  minSeconds: setting(seconds, 60),
  /** The timeout of a unit that no earlier run has measured. */
  unknownSeconds: setting(seconds, 600),
  maxSeconds: setting(seconds, 1800),
});

const readTimeout: Reader<TimeoutSettings> = (value, at) => {
  const read = timeout.read(value, at);
  if (read.minSeconds > read.maxSeconds)
    at.fail(`${quoted(at)} has a minSeconds above its maxSeconds`);
  return read;
};

/** The settings for CI's jobs. */
export type DispatchSettings = ValuesOf<typeof DISPATCH>;
export const DISPATCH = section({
  /** The steps in the order of skein.json. */
  application: setting(readSteps, []),
  /** The packages of each pool of machines: names, or globs of names. The first pool that matches counts. */
  pools: setting(readPools, {}),
  /** The scripts to run in each affected package that has them. */
  scripts: setting(readScripts, ["test"]),
  /** The target duration of a job in seconds, including its set-up. */
  targetSeconds: setting(seconds, 300),
  maxJobs: setting(whole(1, MATRIX_CAP), 20),
  /** The cost of each job before its first script (checkout and install), in seconds. */
  setupSeconds: setting(number(0, 3_600), 45),
  onePackagePerJob: setting(boolean, false),
  /** Whether everything runs in one job: always, never, or if more jobs would cost more time than they save. */
  inline: setting(oneOf(INLINE_MODES), "auto"),
  /** Whether a unit can be skipped because a trusted run attested it with the same fingerprint. */
  reuse: setting(oneOf(REUSE_MODES), "fingerprint"),
  /** The share of such units that run anyway on the default branch, from 0 to 1. */
  recheck: setting(number(0, 1), 0.02),
  timeout: setting(readTimeout, timeout.defaults),
  /** The number of retries of a failed unit on the same machine. */
  retries: setting(whole(0, 5), 1),
  /** How the default branch records traces, if `affected.evidence` isn't "off". */
  traces: setting(traces.read, traces.defaults),
});

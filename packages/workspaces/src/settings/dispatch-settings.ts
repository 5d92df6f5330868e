import {
  boolean,
  checkNames,
  membersOf,
  number,
  object,
  quoted,
  recordOf,
  string,
  strings,
  whole,
} from "./readers.js";
import type { At, Reader } from "./readers.js";

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

/** The settings for CI's jobs. */
export interface DispatchSettings {
  /** The steps in the order of skein.json. */
  readonly application: readonly ApplicationStep[];
  /** The packages of each pool of machines: names, or globs of names. The first pool that matches counts. */
  readonly pools: Readonly<Record<string, readonly string[]>>;
  /** The scripts to run in each affected package that has them. */
  readonly scripts: readonly string[];
  /** The target duration of a job in seconds, including its set-up. */
  readonly targetSeconds: number;
  readonly maxJobs: number;
  /** The cost of each job before its first script (checkout and install), in seconds. */
  readonly setupSeconds: number;
  readonly onePackagePerJob: boolean;
  /** Whether everything runs in one job: always, never, or if more jobs would cost more time than they save. */
  readonly inline: InlineMode;
  /** Whether a unit can be skipped because a trusted run attested it with the same fingerprint. */
  readonly reuse: ReuseMode;
  /** The share of such units that run anyway on the default branch, from 0 to 1. */
  readonly recheck: number;
  readonly timeout: TimeoutSettings;
  /** The number of retries of a failed unit on the same machine. */
  readonly retries: number;
  /** How the default branch records traces, if `affected.evidence` isn't "off". */
  readonly traces: TraceSettings;
}

/** All values of `dispatch.inline`. */
export const INLINE_MODES = ["auto", "never", "always"] as const;
export type InlineMode = (typeof INLINE_MODES)[number];

/** All values of `dispatch.reuse`. */
export const REUSE_MODES = ["fingerprint", "never"] as const;
export type ReuseMode = (typeof REUSE_MODES)[number];

/** When the default branch records traces, and for how long. */
export interface TraceSettings {
  /** The number of hours after a recording in which pushes record nothing. */
  readonly everyHours: number;
  /** The expected duration of the units that one run records, in seconds; 0 for none. */
  readonly budgetSeconds: number;
}

/** The timeout of a unit: a multiple of its P90, within bounds. */
export interface TimeoutSettings {
  readonly factor: number;
  readonly minSeconds: number;
  /** The timeout of a unit that no earlier run has measured. */
  readonly unknownSeconds: number;
  readonly maxSeconds: number;
}

/** The settings if skein.json has no section `dispatch`. */
export const defaultDispatch: DispatchSettings = {
  application: [],
  pools: {},
  scripts: ["test"],
  targetSeconds: 300,
  maxJobs: 20,
  setupSeconds: 45,
  onePackagePerJob: false,
  inline: "auto",
  reuse: "fingerprint",
  recheck: 0.02,
  timeout: { factor: 3, minSeconds: 60, unknownSeconds: 600, maxSeconds: 1800 },
  retries: 1,
  traces: { everyHours: 24, budgetSeconds: 600 },
};

/**
 * Reads the section `dispatch`.
 * @throws {SettingsError}
 */
export function readDispatch(value: unknown, at: At): DispatchSettings {
  const member = membersOf(value, at, defaultDispatch);
  return {
    application: member("application", (steps, place) =>
      Object.entries(object(steps, place)).map(([name, step]) =>
        readStep(name, step, place.member(name)),
      ),
    ),
    pools: member("pools", readPools),
    scripts: member("scripts", readScripts),
    targetSeconds: member("targetSeconds", number(1, 21_600)),
    maxJobs: member("maxJobs", whole(1, MATRIX_CAP)),
    setupSeconds: member("setupSeconds", number(0, 3_600)),
    onePackagePerJob: member("onePackagePerJob", boolean),
    inline: member("inline", oneOf(INLINE_MODES)),
    reuse: member("reuse", oneOf(REUSE_MODES)),
    recheck: member("recheck", number(0, 1)),
    timeout: member("timeout", readTimeout),
    retries: member("retries", whole(0, 5)),
    traces: member("traces", readTraces),
  };
}

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

const readPools: Reader<DispatchSettings["pools"]> = (value, at) => {
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

const readTraces: Reader<TraceSettings> = (value, at) => {
  const member = membersOf(value, at, defaultDispatch.traces);
  return {
    everyHours: member("everyHours", number(0, 8_760)),
    budgetSeconds: member("budgetSeconds", number(0, 7_200)),
  };
};

const readTimeout: Reader<TimeoutSettings> = (value, at) => {
  const member = membersOf(value, at, defaultDispatch.timeout);
  const seconds = number(1, 21_600);
  const read = {
    factor: member("factor", number(1, 100)),
    minSeconds: member("minSeconds", seconds),
    unknownSeconds: member("unknownSeconds", seconds),
    maxSeconds: member("maxSeconds", seconds),
  };
  if (read.minSeconds > read.maxSeconds)
    at.fail(`${quoted(at)} has a minSeconds above its maxSeconds`);
  return read;
};

import { digest } from "./digest.js";
import { varies } from "./varying.js";

/** The environment of scripts, and rules on which of its variables count. */
export interface Variables {
  /** The environment of the scripts. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names that count for every unit: those of `cache.env`. */
  readonly names: readonly string[];
  /** Names that count for no unit, even if a file names them: those of `cache.env` after `!`. */
  readonly ignored: ReadonlySet<string>;
}

/** The environment of a tree in which its scripts run. */
export interface Surroundings extends Variables {
  /** The versions of Node and Yarn, the platform, the architecture and the C library, by name. */
  readonly runtime: Readonly<Record<string, string>>;
}

/**
 * Variables that count for every unit, because they change the behaviour of programs in node_modules, which Skein
 * doesn't scan. The groups: Node (nodejs.org/api/cli.html#environment-variables) without variables for its REPL, coverage
 * and compile cache; the C library and Intl (setlocale(3), tzset(3)); Babel and Browserslist; colours, the width of
 * output, and the CI mode of test runners (Jest writes no snapshot in CI); programs that detect a surrounding test runner;
 * ts-node, debug and reproducible builds; clients behind a proxy.
 */
const ALWAYS: readonly string[] = `
  NODE_OPTIONS NODE_PATH NODE_ENV NODE_ICU_DATA NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED
  NODE_DEBUG NODE_DEBUG_NATIVE NODE_DISABLE_COLORS NODE_NO_WARNINGS NODE_PENDING_DEPRECATION NODE_REDIRECT_WARNINGS
  NODE_PRESERVE_SYMLINKS NODE_PRESERVE_SYMLINKS_MAIN NODE_SKIP_PLATFORM_CHECK NODE_TEST_CONTEXT
  NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA OPENSSL_CONF SSL_CERT_DIR SSL_CERT_FILE UV_THREADPOOL_SIZE
  TZ LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME
  BABEL_ENV BROWSERSLIST BROWSERSLIST_ENV
  FORCE_COLOR NO_COLOR COLUMNS LINES CI
  JEST_WORKER_ID VITEST
  TS_NODE_PROJECT TS_NODE_COMPILER_OPTIONS TS_NODE_TRANSPILE_ONLY DEBUG SOURCE_DATE_EPOCH
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy
`
  .trim()
  .split(/\s+/);

/**
 * Variables that the runner of a script always sets, whatever their values were before: those of Yarn's environment of
 * scripts (`scriptEnv` in packages/runner), and those of shells.
 */
const SET_BY_RUNNER =
  /^(?:BERRY_BIN_FOLDER|INIT_CWD|PROJECT_CWD|PWD|OLDPWD|SHLVL|_|npm_(?:execpath|node_execpath|package_.*|config_user_agent|lifecycle_event))$/;

/** A temporary folder of Yarn (`xfs.mktemp` in @yarnpkg/fslib), which is in PATH under `yarn run`. */
const TEMPORARY = /[/\\]xfs-[0-9a-f]{8}$/;

/** The options that Yarn adds to NODE_OPTIONS with Plug'n'Play. */
const PNP_OPTIONS =
  /\s*--(?:require|experimental-loader)\s+\S*\.pnp\.(?:c?js|loader\.mjs)\s*/g;

/**
 * Returns the environment without the parts that differ between two starts of a tool. Otherwise, no result would ever
 * be found again under `yarn run`, which makes a folder for each run and adds it to PATH.
 * @param separator the separator of the folders in PATH
 */
export function stableEnvironment(
  env: Variables["env"],
  separator: string,
): Variables["env"] {
  const stable: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || SET_BY_RUNNER.test(name)) continue;
    stable[name] =
      name.toLowerCase() === "path"
        ? value
            .split(separator)
            .filter((folder) => !TEMPORARY.test(folder))
            .join(separator)
        : value;
  }
  const { NODE_OPTIONS: options, ...others } = stable;
  const rest = options?.replace(PNP_OPTIONS, " ").trim() ?? "";
  return rest === "" ? others : { ...others, NODE_OPTIONS: rest };
}

/** Hashes the properties of the runtime, independent of their order. @returns hexadecimal */
export function hashRuntime({
  runtime,
}: Pick<Surroundings, "runtime">): string {
  return digest(
    Object.entries(runtime)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flat(),
  );
}

/**
 * Returns the sorted names of all variables that count, each once. A name that ends with `_` may be the beginning of computed
 * names (`process.env[`FEATURE_${name}`]`), so all variables that begin with it count.
 * @param names those that a tree names
 */
export function countedNames(
  names: Iterable<string>,
  { env, names: more, ignored }: Variables,
): readonly string[] {
  const all = new Set([...ALWAYS, ...more, ...names]);
  const beginnings = [...all].filter((name) => name.endsWith("_"));
  if (beginnings.length > 0)
    for (const name of Object.keys(env))
      if (beginnings.some((each) => name.startsWith(each))) all.add(name);
  return [...all].filter((name) => !ignored.has(name)).sort();
}

/** Hashes the values of variables. An unset variable differs from an empty one. */
export function hashVariables(
  names: readonly string[],
  variables: Variables,
): string {
  const { env } = variables;
  return digest(
    countedNames(names, variables).flatMap((name) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      return value === undefined ? [] : [name, value];
    }),
  );
}

/** Returns the variables that count, are set, and have another value in each run of a CI. */
export function varyingNames(
  names: readonly string[],
  variables: Variables,
): readonly string[] {
  const { env } = variables;
  return countedNames(names, variables).filter(
    (name) => varies(name) && Object.hasOwn(env, name),
  );
}

import { digest } from "./digest.js";
import { varies } from "./varying.js";

/** What is around a tree when a script of it runs. */
export interface Surroundings {
  /** Node's version, Yarn's, the platform, the architecture, the C library: by name. */
  readonly runtime: Readonly<Record<string, string>>;
  /** The environment of the scripts. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names that count for every unit: those of `cache.env`. */
  readonly names: readonly string[];
  /** Names that count for no unit, whatever names them: those of `cache.env` behind `!`. */
  readonly ignored: ReadonlySet<string>;
}

/**
 * Variables that count for every unit: programs in node_modules, which nobody scans, behave otherwise because of them.
 * Node reads the first ones (nodejs.org/api/cli.html#environment-variables), the C library and Intl the next (setlocale(3),
 * tzset(3)), then Babel, Browserslist, and the colours and the CI mode of test runners (Jest writes no snapshot in CI).
 */
export const ALWAYS: readonly string[] = [
  ..."NODE_OPTIONS NODE_PATH NODE_ENV NODE_ICU_DATA NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED".split(
    " ",
  ),
  ..."TZ LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME".split(
    " ",
  ),
  ..."BABEL_ENV BROWSERSLIST BROWSERSLIST_ENV FORCE_COLOR NO_COLOR CI".split(
    " ",
  ),
];

/**
 * Variables that a script gets from whoever runs it, whatever stood there before: from Yarn's environment of scripts
 * (`scriptEnv` in packages/runner), and from shells.
 */
const SET_BY_RUNNER =
  /^(?:BERRY_BIN_FOLDER|INIT_CWD|PROJECT_CWD|PWD|OLDPWD|SHLVL|_|npm_(?:execpath|node_execpath|package_.*|config_user_agent|lifecycle_event))$/;

/** A temporary folder of Yarn's (`xfs.mktemp` in @yarnpkg/fslib), which stands in PATH below `yarn run`. */
const TEMPORARY = /[/\\]xfs-[0-9a-f]{8}$/;

/** What Yarn adds to NODE_OPTIONS with Plug'n'Play. */
const PNP_OPTIONS =
  /\s*--(?:require|experimental-loader)\s+\S*\.pnp\.(?:c?js|loader\.mjs)\s*/g;

/**
 * Returns the environment without what differs from one start of a tool to the next: nothing would be found again below
 * `yarn run`, which makes a folder for each run and puts it into PATH.
 * @param separator of the folders in PATH
 */
export function stableEnvironment(
  env: Surroundings["env"],
  separator: string,
): Surroundings["env"] {
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

/** Hashes the runtime. */
export function hashRuntime({
  runtime,
}: Pick<Surroundings, "runtime">): string {
  return digest(
    Object.entries(runtime)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flat(),
  );
}

/** Returns the names of variables that count where a tree names some: in order, each once. */
export function countedNames(
  names: Iterable<string>,
  { names: more, ignored }: Pick<Surroundings, "names" | "ignored">,
): readonly string[] {
  const all = new Set([...ALWAYS, ...more, ...names]);
  return [...all].filter((name) => !ignored.has(name)).sort();
}

/** Hashes the values of variables; one that is unset differs from one that is empty. */
export function hashVariables(
  names: readonly string[],
  surroundings: Pick<Surroundings, "env" | "names" | "ignored">,
): string {
  const { env } = surroundings;
  return digest(
    countedNames(names, surroundings).flatMap((name) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      return value === undefined ? [] : [name, value];
    }),
  );
}

/** Returns the variables that count, are set, and have another value in each run of a CI. */
export function varyingNames(
  names: readonly string[],
  surroundings: Pick<Surroundings, "env" | "names" | "ignored">,
): readonly string[] {
  const { env } = surroundings;
  return countedNames(names, surroundings).filter(
    (name) => varies(name) && Object.hasOwn(env, name),
  );
}

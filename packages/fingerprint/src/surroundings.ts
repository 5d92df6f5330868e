import { digest } from "./digest.js";

/** What is around a tree when a script of it runs. */
export interface Surroundings {
  /** Node's version, Yarn's, the platform, the architecture, the C library: by name. */
  readonly runtime: Readonly<Record<string, string>>;
  /** The environment of the scripts. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names that count for every unit: those of `cache.env`. */
  readonly names: readonly string[];
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

/** Hashes the values of variables; one that is unset differs from one that is empty. */
export function hashVariables(
  names: readonly string[],
  { env, names: more }: Pick<Surroundings, "env" | "names">,
): string {
  const all = [...new Set([...ALWAYS, ...more, ...names])].sort();
  return digest(
    all.flatMap((name) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      return value === undefined ? [] : [name, value];
    }),
  );
}

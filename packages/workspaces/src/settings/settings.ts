import { CACHE } from "./cache-settings.js";
import { DISPATCH } from "./dispatch-settings.js";
import { METRICS } from "./metrics-settings.js";
import {
  checkNames,
  object,
  oneOf,
  optional,
  quoted,
  recordOf,
  section,
  setting,
  string,
  strings,
  type Reader,
  type ValuesOf,
} from "./readers.js";

/** The effect of a changed file that no package owns: nothing, everything, or the named packages are affected. */
export type UnownedEffect = "nothing" | "everything" | readonly string[];

const unownedEffect: Reader<UnownedEffect> = (value, at) =>
  value === "nothing" || value === "everything"
    ? value
    : Array.isArray(value)
      ? strings(value, at)
      : at.fail(
          `${quoted(at)} must be "nothing", "everything" or a list of package names`,
        );

/** Reads `["^build"]`, or `{"dependsOn": ["^build"]}` as other tools write it. */
const pipelineEntry: Reader<readonly string[]> = (value, at) => {
  if (Array.isArray(value)) return strings(value, at);
  const { dependsOn = [], ...others } = object(value, at);
  checkNames(others, ["dependsOn"], at);
  return strings(dependsOn, at.member("dependsOn"));
};

/** Reads the scripts that must run before each script. */
const pipelineEntries: Reader<Readonly<Record<string, readonly string[]>>> = (
  value,
  at,
) => {
  const entries = recordOf(pipelineEntry)(value, at);
  for (const key of Object.keys(entries))
    if (key.startsWith("^"))
      at.member(key).fail(
        `${quoted(at.member(key))} has no effect: only a value can name the scripts of dependencies`,
      );
  return entries;
};

export type AffectedSettings = ValuesOf<typeof affected>;
const affected = section({
  /** Globs of files that affect nothing, from the project's root. */
  ignore: setting(strings, []),
  /** Globs, from the project's root, of files that no package owns, with their effects. The first match counts. */
  unowned: setting<readonly (readonly [glob: string, effect: UnownedEffect])[]>(
    (value, at) => Object.entries(recordOf(unownedEffect)(value, at)),
    [],
  ),
  /**
   * Globs of documentation, from its package's folder (or the project's root). It affects nothing unless a file refers
   * to it.
   */
  documentation: setting(strings, [
    "*.{md,mdx,markdown,rst,adoc}",
    "{LICENSE,LICENCE,NOTICE,AUTHORS,CONTRIBUTORS,CHANGELOG,CODEOWNERS}*",
    "docs/**",
  ]),
  /**
   * Globs of tests, from their package's folder. They affect only their own package, unless a file outside the tests
   * refers to them.
   */
  tests: setting(strings, [
    "**/*.{test,spec}.{js,jsx,cjs,mjs,ts,tsx,cts,mts}",
    "**/*.{cy,e2e,bench,stories,story}.{js,jsx,cjs,mjs,ts,tsx,cts,mts,mdx}",
    "**/{__tests__,__snapshots__,__fixtures__,__mocks__,__stories__}/**",
    "**/{test,tests,spec,e2e,cypress,bench,benchmark,benchmarks,stories}/**",
  ]),
  /** Script -> globs of its inputs, from the package's folder. `!glob` excludes files. The last match counts. */
  inputs: setting(recordOf(strings), {}),
  /** Package name or glob -> packages that it depends on without declaring it. */
  implicitDependencies: setting(recordOf(strings), {}),
  /** The effect of a change of the root's own dependencies. Every package can use their bins and hoisted packages. */
  rootDependencies: setting(oneOf("used", "everything", "root"), "used"),
  /** The selected units that need not run as long as their recorded evidence holds. */
  evidence: setting(oneOf("off", "guesses", "full"), "off"),
  /**
   * Names or globs of packages that bundle their dependencies into their publication. Such dependencies may be
   * devDependencies.
   */
  bundlesDependencies: setting(strings, []),
});

/** The settings of migrate-repo. */
const migrate = section({
  /** Branches that it does not commit to. */
  protectedBranches: setting(strings, []),
  /** Package name (`*` matches any text) -> external dependencies for which it has its own version. */
  ownVersions: setting(recordOf(strings), {}),
});

/** The settings of skein.json, including all defaults. */
export type Settings = ValuesOf<typeof SETTINGS>;
export const SETTINGS = section(
  {
    /** The branch to compare with, if it isn't the remote's default branch. */
    defaultBranch: optional(string),
    /** The workflow file for `--base last-green`, which looks for its green runs. */
    workflow: setting(string, "ci.yml"),
    affected: setting(affected.read, affected.defaults),
    /** Tags by package name or glob of names. */
    tags: setting(recordOf(strings), {}),
    /**
     * Script -> the scripts that must run before it: `^build` is the build of all dependencies, `build` the package's
     * own.
     */
    pipeline: setting(pipelineEntries, {}),
    cache: setting(CACHE.read, CACHE.defaults),
    dispatch: setting(DISPATCH.read, DISPATCH.defaults),
    metrics: setting(METRICS.read, METRICS.defaults),
    migrate: setting(migrate.read, migrate.defaults),
  },
  ["$schema"],
);

/** The settings of a project without skein.json. */
export const defaultSettings = SETTINGS.defaults;

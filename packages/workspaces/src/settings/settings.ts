import { defaultMetrics, type MetricsSettings } from "./metrics-settings.js";
import { defaultCache, type CacheSettings } from "./cache-settings.js";
import { defaultDispatch, type DispatchSettings } from "./dispatch-settings.js";

/** The effect of a changed file that no package owns: nothing, everything, or the named packages are affected. */
export type UnownedEffect = "nothing" | "everything" | readonly string[];

/** The settings of skein.json, including all defaults. */
export interface Settings {
  /** The branch to compare with, if it isn't the remote's default branch. */
  readonly defaultBranch: string | undefined;
  /** The workflow file for `--base last-green`, which looks for its green runs. */
  readonly workflow: string;
  readonly affected: AffectedSettings;
  /** Tags by package name or glob of names. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
  /**
   * Script -> the scripts that must run before it: `^build` is the build of all dependencies, `build` the package's
   * own.
   */
  readonly pipeline: Readonly<Record<string, readonly string[]>>;
  readonly cache: CacheSettings;
  readonly dispatch: DispatchSettings;
  readonly metrics: MetricsSettings;
  readonly migrate: MigrateSettings;
}

/** The settings of migrate-repo. */
export interface MigrateSettings {
  /** Branches that it does not commit to. */
  readonly protectedBranches: readonly string[];
  /** Package name (`*` matches any text) -> external dependencies for which it has its own version. */
  readonly ownVersions: Readonly<Record<string, readonly string[]>>;
}

export interface AffectedSettings {
  /** Globs of files that affect nothing, from the project's root. */
  readonly ignore: readonly string[];
  /** Globs, from the project's root, of files that no package owns, with their effects. The first match counts. */
  readonly unowned: readonly (readonly [glob: string, effect: UnownedEffect])[];
  /**
   * Globs of documentation, from its package's folder (or the project's root). It affects nothing unless a file refers
   * to it.
   */
  readonly documentation: readonly string[];
  /**
   * Globs of tests, from their package's folder. They affect only their own package, unless a file outside the tests
   * refers to them.
   */
  readonly tests: readonly string[];
  /** Script -> globs of its inputs, from the package's folder. `!glob` excludes files. The last match counts. */
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  /** Package name or glob -> packages that it depends on without declaring it. */
  readonly implicitDependencies: Readonly<Record<string, readonly string[]>>;
  /** The effect of a change of the root's own dependencies. Every package can use their bins and hoisted packages. */
  readonly rootDependencies: "used" | "everything" | "root";
  /** The selected units that need not run as long as their recorded evidence holds. */
  readonly evidence: "off" | "guesses" | "full";
  /**
   * Names or globs of packages that bundle their dependencies into their publication. Such dependencies may be
   * devDependencies.
   */
  readonly bundlesDependencies: readonly string[];
}

/** The settings of a project without skein.json. */
export const defaultSettings: Settings = {
  defaultBranch: undefined,
  workflow: "ci.yml",
  affected: {
    ignore: [],
    unowned: [],
    documentation: [
      "*.{md,mdx,markdown,rst,adoc}",
      "{LICENSE,LICENCE,NOTICE,AUTHORS,CONTRIBUTORS,CHANGELOG,CODEOWNERS}*",
      "docs/**",
    ],
    tests: [
      "**/*.{test,spec}.{js,jsx,cjs,mjs,ts,tsx,cts,mts}",
      "**/*.{cy,e2e,bench,stories,story}.{js,jsx,cjs,mjs,ts,tsx,cts,mts,mdx}",
      "**/{__tests__,__snapshots__,__fixtures__,__mocks__,__stories__}/**",
      "**/{test,tests,spec,e2e,cypress,bench,benchmark,benchmarks,stories}/**",
    ],
    inputs: {},
    implicitDependencies: {},
    rootDependencies: "used",
    evidence: "off",
    bundlesDependencies: [],
  },
  tags: {},
  pipeline: {},
  cache: defaultCache,
  dispatch: defaultDispatch,
  metrics: defaultMetrics,
  migrate: { protectedBranches: [], ownVersions: {} },
};

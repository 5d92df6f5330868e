import { defaultMetrics } from "./metrics-settings.js";
import type { MetricsSettings } from "./metrics-settings.js";
import { defaultCache } from "./cache-settings.js";
import type { CacheSettings } from "./cache-settings.js";
import { defaultDispatch } from "./dispatch-settings.js";
import type { DispatchSettings } from "./dispatch-settings.js";

/** What a changed file that no package owns does: nothing, everything, or affect the packages named. */
export type UnownedEffect = "nothing" | "everything" | readonly string[];

/** skein.json, with every default filled in. */
export interface Settings {
  /** The branch to compare with, where the remote's default branch is not the one. */
  readonly defaultBranch: string | undefined;
  /** Workflow file whose green runs `--base last-green` looks for. */
  readonly workflow: string;
  readonly affected: AffectedSettings;
  /** Tags by package name or glob of names. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
  /** Script -> what must run before it: `^build` is the build of all dependencies, `build` the package's own. */
  readonly pipeline: Readonly<Record<string, readonly string[]>>;
  readonly cache: CacheSettings;
  readonly dispatch: DispatchSettings;
  readonly metrics: MetricsSettings;
  readonly migrate: MigrateSettings;
}

/** What migrate-repo may do here. */
export interface MigrateSettings {
  /** Branches that it does not commit to. */
  readonly protectedBranches: readonly string[];
  /** Package name (`*` stands for anything) -> external dependencies that it has at a version of its own. */
  readonly ownVersions: Readonly<Record<string, readonly string[]>>;
}

export interface AffectedSettings {
  /** Globs of files that affect nothing, from the project's root. */
  readonly ignore: readonly string[];
  /** Globs, from the project's root, of files that no package owns, and what they do. The first that matches counts. */
  readonly unowned: readonly (readonly [glob: string, effect: UnownedEffect])[];
  /** Globs of documentation, from its package's folder (or the project's root): affects nothing unless a file refers to it. */
  readonly documentation: readonly string[];
  /** Globs of tests, from their package's folder: affect their own package only, unless a file outside the tests refers to them. */
  readonly tests: readonly string[];
  /** Script -> globs from the package's folder that count as its inputs (`!glob`: that do not); the last that matches counts. */
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  /** Package name or glob -> packages it depends on without declaring it. */
  readonly implicitDependencies: Readonly<Record<string, readonly string[]>>;
  /** What a change of the root's own dependencies does. Their bins and hoisted packages can be used by every package. */
  readonly rootDependencies: "used" | "everything" | "root";
  /** Which selected units need not run where their recorded evidence still holds. */
  readonly evidence: "off" | "guesses" | "full";
  /** Names or globs of packages that put what they depend on into what they publish: it may stand in devDependencies. */
  readonly bundlesDependencies: readonly string[];
}

/** The settings of a project without skein.json. */
export const defaultSettings: Settings = {
  defaultBranch: undefined,
  workflow: "ci.yml",
  tags: {},
  pipeline: {},
  cache: defaultCache,
  dispatch: defaultDispatch,
  metrics: defaultMetrics,
  migrate: { protectedBranches: [], ownVersions: {} },
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
      "**/{test,tests,spec,specs,e2e,cypress,bench,benchmark,benchmarks,stories}/**",
    ],
    inputs: {},
    implicitDependencies: {},
    rootDependencies: "used",
    evidence: "off",
    bundlesDependencies: [],
  },
};

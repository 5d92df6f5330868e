import type { Settings } from "@skein/workspaces";
import { canonicalJson } from "@skein/reporting/canonical-json";

/** The facts at one end of the change that decide which tests run. */
export interface Deciding {
  /** Undefined if skein.json cannot be read. */
  readonly settings: Settings | undefined;
  /** The root's `workspaces` as written in package.json. */
  readonly workspaces: unknown;
  /** The names of scripts by the package's folder. It contains only the packages of interest. */
  readonly scripts: ReadonlyMap<string, readonly string[]>;
}

/** A package without the script that would run. */
export interface Scriptless {
  readonly workspace: string;
  readonly dir: string;
  readonly script: string;
}

/**
 * Returns how a change alters what is tested, one sentence each; empty if it doesn't. Pure. Every CI takes its settings
 * from the change that it tests, so reviewers need to see these alterations.
 * @param before the facts at the commit to compare with
 * @param after the facts that the plan uses
 * @param scriptless packages that the plan skips
 * @param changed paths of changed files, relative to the workspace's root
 */
export function alterationsOf(
  before: Deciding,
  after: Deciding,
  scriptless: readonly Scriptless[],
  changed: readonly string[],
): readonly string[] {
  const fields = changedFields(before.settings, after.settings);
  const workflows = changed
    .filter((path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path))
    .map((path) => `it changes ${path}`);
  const lost = scriptless
    .filter(({ dir, script }) => before.scripts.get(dir)?.includes(script))
    .map(({ workspace, script }) => `${workspace} loses its script ${script}`);
  return [
    ...(fields === undefined
      ? ["skein.json cannot be read at the base"]
      : fields.map((field) => `skein.json changes ${field}`)),
    ...(canonicalJson({ of: before.workspaces }) ===
    canonicalJson({ of: after.workspaces })
      ? []
      : ["package.json changes workspaces"]),
    ...lost,
    ...workflows,
  ];
}

/**
 * Returns the changed fields that decide what is tested.
 * @returns their names; undefined if unknown
 */
function changedFields(
  before: Settings | undefined,
  after: Settings | undefined,
): readonly string[] | undefined {
  if (!before || !after) return undefined;
  const was = decidingFields(before);
  return Object.entries(decidingFields(after))
    .filter(
      ([name, value]) => canonicalJson(value) !== canonicalJson(was[name]),
    )
    .map(([name]) => name);
}

/** Returns the settings that decide what is compared, what is affected, which scripts of it run, and what is reused. */
function decidingFields({
  defaultBranch,
  workflow,
  affected,
  dispatch: { scripts, application, reuse, recheck },
  cache: { env, ignoredEnv },
}: Settings): Readonly<Record<string, { readonly of: unknown }>> {
  return {
    defaultBranch: { of: defaultBranch },
    workflow: { of: workflow },
    ...Object.fromEntries(
      Object.entries(affected).map(([name, value]) => [
        `affected.${name}`,
        { of: value },
      ]),
    ),
    "dispatch.scripts": { of: scripts },
    "dispatch.application": { of: application },
    "dispatch.reuse": { of: reuse },
    "dispatch.recheck": { of: recheck },
    "cache.env": { of: { env, ignoredEnv } },
  };
}

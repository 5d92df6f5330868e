import type { Settings } from "@skein/workspaces";
import { canonicalJson } from "../canonical.js";

/** What decides at one end of the change which tests run. */
export interface Deciding {
  /** Undefined where skein.json cannot be read. */
  readonly settings: Settings | undefined;
  /** The root's `workspaces`, as it stands in package.json. */
  readonly workspaces: unknown;
  /** By folder, the names of a package's scripts; of those packages alone that are asked about. */
  readonly scripts: ReadonlyMap<string, readonly string[]>;
}

/** A package whose script is not run, because it has none. */
export interface Scriptless {
  readonly workspace: string;
  readonly dir: string;
  readonly script: string;
}

/**
 * Returns what a change alters of what is tested, one sentence each; none where it alters nothing. Pure. Every CI takes
 * its settings from the change that it tests, so a reviewer has to see that.
 * @param before at the commit that is compared with
 * @param after what is planned with
 * @param scriptless packages that the plan skips
 * @param changed files that differ, from the root of the workspace
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
      ? ["skein.json cannot be read as it was before"]
      : fields.map((field) => `skein.json changes ${field}`)),
    ...(canonicalJson({ of: before.workspaces }) ===
    canonicalJson({ of: after.workspaces })
      ? []
      : ["package.json changes workspaces"]),
    ...lost,
    ...workflows,
  ];
}

/** @returns names of the fields; undefined where nobody can tell */
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

/** The settings that decide what is compared, what is affected, and what of it is run. */
function decidingFields({
  defaultBranch,
  workflow,
  affected,
  dispatch: { scripts, application },
}: Settings): Readonly<Record<string, { readonly of: unknown }>> {
  return {
    defaultBranch: { of: defaultBranch },
    workflow: { of: workflow },
    ...Object.fromEntries(
      Object.entries(affected).map(([name, value]) => [
        `affected.${name}`,
        { of: value as unknown },
      ]),
    ),
    "dispatch.scripts": { of: scripts },
    "dispatch.application": { of: application },
  };
}

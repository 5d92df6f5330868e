import type { Change } from "@skein/changes";
import { NPM_LOCK } from "../../lockfile/compare.js";
import { namesThat } from "../../query/patterns.js";
import type { Classifier } from "../owned/classify.js";
import type { Effect } from "../owned/effects.js";
import { compileGlobs } from "../globs.js";
import type { UnownedEffect } from "../../settings/settings.js";
import type { EverythingReason, Reason } from "../reason.js";
import { CONSTRAINTS } from "./reader-links.js";
import { openPages, openReadersOf, use } from "./unowned-readers.js";
import { roleOf } from "./unowned-rules.js";
import type { DecisionWorld } from "../world.js";

/** Files of the root that are compared by their meaning. Their text matters only to files that name them. */
export const COMPARED: ReadonlySet<string> = new Set([
  "yarn.lock",
  "package.json",
  ".yarnrc.yml",
]);

/** Lockfiles of other package managers. Only npm's is compared by its meaning. */
const OTHER_LOCKFILES = new Set([
  NPM_LOCK,
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
]);

/**
 * Compiles the rules for files that no package owns: skein.json first, then the file's role, then its possible readers. A
 * file affects only the units that name it, that have an open end which may lead to it, or that look it up.
 */
export function openUnowned(
  world: DecisionWorld,
  classify: Classifier,
): (change: Change) => readonly Effect[] {
  const { base, head, settings, references } = world.input;
  const named = namesThat([...head.graph.workspaces.keys()]);
  const rules = settings.unowned.map(([glob, effect]) => ({
    glob,
    effect: typeof effect === "string" ? effect : named(effect),
    matches: compileGlobs([glob]),
  }));
  const isPage = openPages(settings.documentation);
  const isOfUses = false;
  const readersOf = openReadersOf(world, { isPage, isOfUses, isExact: false });
  const exactReadersOf = openReadersOf(world, {
    isPage,
    isOfUses,
    isExact: true,
  });
  const { packageManager } = head.root.fields;
  /** Yarn doesn't read the files of another package manager. */
  const isLeftover =
    head.lock !== undefined ||
    (typeof packageManager === "string" && packageManager.startsWith("yarn@"));

  return ({ path, kind, origin }) => {
    if (COMPARED.has(path)) {
      // Without the other side, or without a readable lockfile, there is no meaning to compare.
      const comparable =
        base && (path === "package.json" || (head.lock && base.lock));
      if (!comparable)
        return everything({
          kind: "global-file",
          path,
          role: "not comparable",
        });
      const reads = exactReadersOf(path);
      return reads.size > 0
        ? inPackages(reads)
        : nothing(path, "compared-by-meaning");
    }
    if (path === NPM_LOCK && !isLeftover && base?.npmLock && head.npmLock)
      return nothing(path, "compared-by-meaning");
    if (OTHER_LOCKFILES.has(path) && !isLeftover)
      return everything({ kind: "global-file", path, role: "not comparable" });
    const rule = rules.find(({ matches }) => matches(path));
    if (rule) return ofRule(path, rule);
    const role = roleOf(path);
    if (role?.effect === "everything")
      return everything({ kind: "global-file", path, role: role.role });
    if (role) return nothing(path, role.why);
    if (references?.isOfYarn(path))
      return everything({
        kind: "global-file",
        path,
        role: "a file that Yarn's settings name",
      });
    const reads = readersOf(path);
    const root = head.graph.root;
    if (CONSTRAINTS.has(path))
      reads.set(root, { kind: "file", path, change: kind });
    if (references && classify(path) === "test" && !reads.has(root))
      reads.set(root, { kind: "test-file", path, change: kind });
    if (reads.size > 0) return inPackages(reads);
    if (path.startsWith("../")) return nothing(path, "outside-project");
    if (isPage(path)) return nothing(path, "documentation");
    // Without the sources, it isn't known which files name it, nor what a list means that names a missing file.
    const isMisspelt = origin === "listed" && kind === "deleted";
    return references && !isMisspelt
      ? nothing(path, "unread")
      : everything({ kind: "unowned-file", path });
  };
}

/** Returns the effect that skein.json gives a file. */
function ofRule(
  path: string,
  {
    glob,
    effect,
  }: {
    readonly glob: string;
    readonly effect: UnownedEffect;
  },
): readonly Effect[] {
  if (effect === "nothing") return nothing(path, "settings-ignore");
  if (effect === "everything")
    return everything({ kind: "unowned-file", path });
  const referrer = { file: "skein.json", line: 1, specifier: glob };
  return effect.map((name) => use(path, name, { referrer, testOnly: false }));
}

function inPackages(reads: ReadonlyMap<string, Reason>): readonly Effect[] {
  return [...reads].map(([name, reason]) => ({
    kind: "package",
    name,
    reason,
  }));
}

function everything(reason: EverythingReason): readonly Effect[] {
  return [{ kind: "everything", reason }];
}

function nothing(
  path: string,
  why: Extract<Effect, { kind: "nothing" }>["why"],
): readonly Effect[] {
  return [{ kind: "nothing", path, why }];
}

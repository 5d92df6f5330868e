import type { Change } from "@skein/changes";
import { takesEffectUnread } from "@skein/known-tools";
import type { Workspace } from "../../graph.js";
import { isWithin, stemOf } from "../../paths.js";
import type { Project } from "../../project.js";
import { openClassifier, withinOwner } from "./classify.js";
import { compileGlobs } from "../globs.js";
import type { AffectedInput } from "../input.js";
import type { EverythingReason, NoEffect, Reason } from "../reason.js";
import { openManifestReaders } from "./manifest-readers.js";
import { openUnowned } from "../unowned/unowned.js";
import { openInnerReaders, use } from "../unowned/unowned-readers.js";
import type { DecisionWorld } from "../world.js";

/** The effect of one changed file. */
export type Effect =
  | {
      readonly kind: "package";
      readonly name: string;
      readonly reason: Reason;
      /**
       * The stem of the file, if it is one of the package that takes effect only where it is read: other dependents aren't
       * affected.
       */
      readonly stem?: string;
    }
  | { readonly kind: "everything"; readonly reason: EverythingReason }
  | { readonly kind: "nothing"; readonly path: string; readonly why: NoEffect };

/**
 * Compiles the rules of one selection.
 * @returns the effect of each changed file; it depends only on the input, since references were read before
 */
export function openEffects(
  world: DecisionWorld,
): (change: Change) => readonly Effect[] {
  const { input, units, above } = world;
  const { head, settings, references } = input;
  const isIgnored = compileGlobs(settings.ignore);
  const classify = openClassifier(settings, input.script, input.pipeline);
  const classOf = (path: string, { dir }: Workspace) =>
    classify(withinOwner(path, dir));
  const ownersOf = openOwners(input, above);
  const unowned = openUnowned(world, classify);
  const innerReaders = openInnerReaders(world);
  const manifestReaders = openManifestReaders(world);

  const ownerOf = (path: string) => head.graph.ownerOf(path).name;
  /** Returns the effect of an aside on other packages; undefined for a file that isn't an aside. */
  const usersOf = (path: string) =>
    references
      ?.usersOfAside(path)
      ?.map((user) => use(path, ownerOf(user.referrer.file), user));

  return (change) => {
    const { path, kind } = change;
    if (isIgnored(path))
      return [{ kind: "nothing", path, why: "settings-ignore" }];
    const owners = ownersOf(change);
    if (owners.length === 0) return unowned(change);
    const others = owners.flatMap((owner) => [
      ...innerReaders(path, owner),
      ...manifestReaders(path, owner),
    ]);
    const own = owners.flatMap((owner): Effect | readonly Effect[] => {
      const { name } = owner;
      if (!head.graph.workspaces.has(name))
        return { kind: "nothing", path, why: "package-removed" };
      const source: Effect = {
        kind: "package",
        name,
        reason: { kind: "file", path, change: kind },
        ...(!takesEffectUnread(path) &&
          path.startsWith(`${owner.dir}/`) && { stem: stemOf(path) }),
      };
      switch (classOf(path, owner)) {
        case "not-an-input":
          return { kind: "nothing", path, why: "not-an-input" };
        case "source":
          return source;
        case "documentation": {
          const within = withinOwner(path, owner.dir);
          const lookup = units.readsByConvention(
            name,
            (globs) => compileGlobs(globs)(within),
            within,
          );
          if (lookup?.spreads) return source;
          if (lookup)
            return {
              kind: "package",
              name,
              reason: { kind: "test-file", path, change: kind },
            };
          const loaders = references?.loadersOf(path) ?? [];
          const users = usersOf(path) ?? (loaders.length > 0 ? undefined : []);
          if (!users) return source;
          const own = loaders.find(({ file }) => ownerOf(file) === name);
          if (own)
            users.push(use(path, name, { referrer: own, testOnly: true }));
          return users.length > 0
            ? users
            : { kind: "nothing", path, why: "documentation" };
        }
        case "test": {
          const users = usersOf(path);
          if (!users) return source;
          const reason: Reason = { kind: "test-file", path, change: kind };
          return [{ kind: "package", name, reason }, ...users];
        }
      }
    });
    return [...own, ...others];
  };
}

/** Returns the packages that own or owned a changed path, except the root. */
function openOwners(
  { base, head }: AffectedInput,
  above: () => ReadonlySet<string>,
): (change: Change) => Workspace[] {
  return ({ path, kind }) => {
    const owners = new Map<string, Workspace>();
    const add = ({ graph, packages }: Project) => {
      const owner = graph.ownerOf(path);
      if (owner.dir !== "." && isWithin(path, owner.dir))
        owners.set(owner.name, owner);
      // A changed path that contains whole workspaces: a submodule, or a folder that became a symlink.
      for (const inside of above().has(path) ? packages : [])
        if (inside.dir.startsWith(`${path}/`)) owners.set(inside.name, inside);
    };
    // A new path belongs to its owner at the head; a deleted one to its owner at the base.
    if (kind !== "deleted") add(head);
    if (kind !== "added") add(base ?? head);
    return [...owners.values()];
  };
}

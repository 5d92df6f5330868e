import type { Change } from "@skein/changes";
import { takesEffectUnread } from "@skein/known-tools";
import type { Workspace } from "../../graph.js";
import { isWithin, stemOf } from "../../paths.js";
import type { Project } from "../../project.js";
import { openClassifier, withinOwner, type Classifier } from "./classify.js";
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
      /** The stem of the file, if it is one of the package: dependents that don't read it aren't affected. */
      readonly stem?: string;
      /** The file may take effect although nothing reads it by a known path. */
      readonly isUnread?: true;
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
  const { input, above } = world;
  const { settings } = input;
  const isIgnored = compileGlobs(settings.ignore);
  const classify = openClassifier(settings, input.script, input.pipeline);
  const ownersOf = openOwners(input, above);
  const owned = new OwnedFiles(world, classify);
  const unowned = openUnowned(world, classify);
  const innerReaders = openInnerReaders(world);
  const manifestReaders = openManifestReaders(world);
  return (change) => {
    const { path } = change;
    if (isIgnored(path))
      return [{ kind: "nothing", path, why: "settings-ignore" }];
    const owners = ownersOf(change);
    if (owners.length === 0) return unowned(change);
    const others = owners.flatMap((owner) => [
      ...innerReaders(path, owner),
      ...manifestReaders(path, owner),
    ]);
    const own = owners.flatMap((owner) => owned.effectsOf(change, owner));
    return [...own, ...others];
  };
}

/** The rules for a file that a package owns: they depend on its class. */
class OwnedFiles {
  readonly #world: DecisionWorld;
  readonly #classify: Classifier;

  constructor(world: DecisionWorld, classify: Classifier) {
    this.#world = world;
    this.#classify = classify;
  }

  effectsOf(change: Change, owner: Workspace): readonly Effect[] {
    const { path, kind } = change;
    if (!this.#world.input.head.graph.workspaces.has(owner.name))
      return [{ kind: "nothing", path, why: "package-removed" }];
    const within = withinOwner(path, owner.dir);
    switch (this.#classify(within)) {
      case "not-an-input":
        return [{ kind: "nothing", path, why: "not-an-input" }];
      case "source":
        return [sourceEffect(change, owner)];
      case "documentation":
        return this.#ofDocumentation(change, owner, within);
      case "test": {
        const users = this.#usersOf(path);
        return users
          ? [
              ownEffect(owner, { kind: "test-file", path, change: kind }),
              ...users,
            ]
          : [sourceEffect(change, owner)];
      }
    }
  }

  #ofDocumentation(
    change: Change,
    owner: Workspace,
    within: string,
  ): readonly Effect[] {
    const { path, kind } = change;
    const { units, input } = this.#world;
    const lookup = units.readsByConvention(
      owner.name,
      (globs) => compileGlobs(globs)(within),
      within,
    );
    if (lookup?.spreads) return [sourceEffect(change, owner)];
    if (lookup)
      return [ownEffect(owner, { kind: "test-file", path, change: kind })];
    const loaders = input.references?.loadersOf(path) ?? [];
    const users = this.#usersOf(path);
    if (!users && loaders.length > 0) return [sourceEffect(change, owner)];
    const own = loaders.find(({ file }) => this.#ownerOf(file) === owner.name);
    const all = [
      ...(users ?? []),
      ...(own
        ? [use(path, owner.name, { referrer: own, testOnly: true })]
        : []),
    ];
    return all.length > 0
      ? all
      : [{ kind: "nothing", path, why: "documentation" }];
  }

  /** Returns the effect of an aside on other packages; undefined for a file that isn't an aside. */
  #usersOf(path: string): readonly Effect[] | undefined {
    return this.#world.input.references
      ?.usersOfAside(path)
      ?.map((user) => use(path, this.#ownerOf(user.referrer.file), user));
  }

  #ownerOf(path: string): string {
    return this.#world.input.head.graph.ownerOf(path).name;
  }
}

function ownEffect({ name }: Workspace, reason: Reason): Effect {
  return { kind: "package", name, reason };
}

/** Returns the effect of a source on its package. */
function sourceEffect(
  { path, kind }: Change,
  { name, dir }: Workspace,
): Effect {
  return {
    kind: "package",
    name,
    reason: { kind: "file", path, change: kind },
    ...(path.startsWith(`${dir}/`) && {
      stem: stemOf(path),
      ...(takesEffectUnread(path) && { isUnread: true }),
    }),
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

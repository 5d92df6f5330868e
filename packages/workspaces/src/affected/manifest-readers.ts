import type { Workspace } from "../graph.js";
import type { Effect } from "./effects.js";
import { openReaders, use } from "./unowned-readers.js";
import type { DecisionWorld } from "./world.js";

/**
 * Finds the packages with a command that compares the manifests of all workspaces (`yarn constraints`). They depend on no other
 * file of these workspaces, so no edge of the graph leads to them.
 * @returns the effects of a changed file of a package on others; none if it isn't the package's manifest
 */
export function openManifestReaders(
  world: DecisionWorld,
): (path: string, owner: Workspace) => readonly Effect[] {
  const { references, head } = world.input;
  const { root } = head.graph;
  const readersOf = openReaders(world);
  return (path, { dir }) => {
    if (path !== `${dir}/package.json`) return [];
    const users = references?.usersOf(path) ?? [];
    return users.flatMap((user): readonly Effect[] => {
      if (!user.isOfManifests) return [];
      const { referrer } = user;
      const { name } = head.graph.ownerOf(referrer.file);
      if (name === root)
        // Other files of the root count for the packages that use them; its own scripts count for the root alone.
        return referrer.file === "package.json"
          ? []
          : Array.from(readersOf(referrer.file), ([reader, why]) =>
              use(path, reader, { referrer, testOnly: "testOnly" in why }),
            );
      const check =
        user.check === undefined
          ? undefined
          : world.units.checkUse(name, user.check);
      if (check && !check.isAsked && !check.spreads) return [];
      const testOnly = user.testOnly || check?.spreads === false;
      const others = user.testOnly
        ? (references?.usersOfAside(referrer.file) ?? [])
        : [];
      return [
        use(path, name, { referrer, testOnly }),
        ...others.map((other) =>
          use(path, head.graph.ownerOf(other.referrer.file).name, other),
        ),
      ];
    });
  };
}

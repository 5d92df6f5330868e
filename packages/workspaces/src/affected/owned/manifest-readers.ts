import type { Workspace } from "../../graph.js";
import type { Effect } from "./effects.js";
import { reasonSpreads } from "../reason.js";
import { openReaders, use } from "../unowned/unowned-readers.js";
import type { DecisionWorld } from "../world.js";

/**
 * Finds the packages with a command that compares the manifests of all workspaces (`yarn constraints`), or with a program that lists
 * them (`getPackageInfos(root)`). No edge of the graph leads from them to these workspaces, since other files don't matter, unless
 * constraints in the root read some. In a program, such a command only checks, so it doesn't matter to dependents, as in scripts
 * that check. A list of manifests matters to them.
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
      if (!user.ofManifests) return [];
      const { referrer, ofManifests } = user;
      const { name } = head.graph.ownerOf(referrer.file);
      if (name === root)
        // Other files of the root count for the packages that use them; its own scripts count for the root alone.
        return referrer.file === "package.json"
          ? []
          : Array.from(readersOf(referrer.file), ([reader, reason]) =>
              use(path, reader, {
                referrer,
                testOnly: ofManifests === "checks" || !reasonSpreads(reason),
              }),
            );
      const check =
        user.check === undefined
          ? undefined
          : world.units.checkUse(name, user.check);
      if (check && !check.isAsked && !check.spreads) return [];
      const isProgram = !referrer.file.endsWith("package.json");
      const testOnly =
        user.testOnly ||
        check?.spreads === false ||
        (isProgram && ofManifests === "checks");
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

import { delimiter } from "node:path";
import { openFinisher, stableEnvironment } from "@skein/fingerprint";
import type {
  Surroundings,
  UnitFingerprint,
  UnitRequest,
} from "@skein/fingerprint";
import type { Settings } from "@skein/workspaces";
import type { TreeLook } from "./fingerprints/look.js";
import { openTree } from "./fingerprints/open-tree.js";
import { readRuntime } from "./fingerprints/runtime.js";
import type { AffectedWorld } from "./world.js";

/**
 * Opens the fingerprints of one script in the working tree.
 * @returns a function from the name of a package to its fingerprint, which is undefined if one of its inputs is unknown
 */
export async function openFingerprints(
  world: AffectedWorld,
  look: TreeLook,
  request: UnitRequest,
): Promise<(packageName: string) => UnitFingerprint | undefined> {
  const { root, settings, units } = await openTree(world, look, request.script);
  const surroundings = await surroundingsOf(world, root, settings);
  const finish = openFinisher(request, surroundings);
  const trees = new Map(
    units.map(({ name, fingerprint }) => [name, fingerprint]),
  );
  return (name) => {
    const tree = trees.get(name);
    return tree && finish(name, tree);
  };
}

/** Reads the surroundings of a tree. @param root the project's folder, absolute */
export async function surroundingsOf(
  world: Pick<AffectedWorld, "env" | "node">,
  root: string,
  settings: Settings,
): Promise<Surroundings> {
  return {
    runtime: await readRuntime(world, root),
    env: stableEnvironment(world.env, delimiter),
    names: settings.cache.env,
    ignored: new Set(settings.cache.ignoredEnv),
  };
}

import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { openFinisher } from "@skein/fingerprint";
import type {
  Surroundings,
  UnitFingerprint,
  UnitRequest,
} from "@skein/fingerprint";
import type { Settings } from "@skein/workspaces";
import type { TreeLook } from "./look.js";
import { openTree } from "./open-tree.js";
import { readRuntime } from "./runtime.js";
import { variablesOf } from "./variables.js";
import type { AffectedWorld } from "../world.js";

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

/**
 * Returns the contents of files that NODE_OPTIONS names (`--require`, `--import`): every script loads them.
 * @param root the folder of relative paths, absolute
 */
function filesOfNodeOptions(
  options: string | undefined,
  root: string,
): Readonly<Record<string, string>> {
  const words = options?.split(/[\s="]+/) ?? [];
  const contents = words.flatMap((word) => {
    const file = resolve(root, word);
    return word !== "" && isFile(file)
      ? [word, hash("sha256", readFileSync(file))]
      : [];
  });
  return contents.length === 0
    ? {}
    : { "files of NODE_OPTIONS": contents.join(" ") };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Reads the surroundings of a tree. @param root the project's folder, absolute */
export async function surroundingsOf(
  world: Pick<AffectedWorld, "env" | "node">,
  root: string,
  settings: Settings,
): Promise<Surroundings> {
  const variables = variablesOf(world.env, settings);
  return {
    ...variables,
    runtime: {
      ...(await readRuntime(world, root)),
      ...filesOfNodeOptions(variables.env["NODE_OPTIONS"], root),
    },
  };
}

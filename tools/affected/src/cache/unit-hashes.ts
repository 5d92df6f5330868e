import { createHash } from "node:crypto";
import type { UnitId, UnitPlan } from "@skein/runner";
import { openFingerprints } from "../fingerprints/fingerprints.js";
import type { TreeLook } from "../fingerprints/look.js";
import type { AffectedWorld } from "../world.js";

/**
 * Computes the fingerprint of each unit in a working tree, joined with those of the units that it waits for. Units with
 * unknown inputs are omitted.
 */
export async function hashUnits(
  world: AffectedWorld,
  look: TreeLook,
  { units }: UnitPlan,
): Promise<ReadonlyMap<UnitId, string>> {
  const opened = new Map<string, ReturnType<typeof openFingerprints>>();
  const hashes = new Map<UnitId, string>();
  for (const { id, workspace, script, args, command, dependsOn } of units) {
    const name = JSON.stringify([script, args]);
    const opening =
      opened.get(name) ?? openFingerprints(world, look, { script, args });
    opened.set(name, opening);
    // A package without the script has no fingerprint of its own, and passes on those of the units that it waits for.
    const own =
      command === undefined ? "no script" : (await opening)(workspace)?.hex;
    const before = dependsOn.map((other) => hashes.get(other));
    if (own === undefined || before.includes(undefined)) continue;
    const joined = JSON.stringify([own, ...before]);
    hashes.set(id, createHash("sha256").update(joined).digest("hex"));
  }
  return hashes;
}

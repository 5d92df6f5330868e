import { ExitCode, printable } from "@skein/reporting";
import { fingerprintsOf, surveyTree } from "../fingerprints.js";
import type { Command } from "../command.js";
import { warn } from "../select.js";
import type { AffectedWorld } from "../world.js";

/** `affected fingerprint [script]`: a line for each package that has the script. */
export async function fingerprint(
  world: AffectedWorld,
  { fingerprint: asked }: Extract<Command, { kind: "fingerprint" }>,
): Promise<number> {
  const facts = await surveyTree(world, asked.head);
  warn(world, facts);
  const find = await fingerprintsOf(world, facts, {
    script: asked.script,
    args: [],
  });
  for (const { name } of facts.head.packages) {
    const found = find(name);
    if (found) world.stdout.write(`${printable(found.unit)} ${found.hex}\n`);
  }
  return ExitCode.Ok;
}

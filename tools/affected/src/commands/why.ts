import { ExitCode, writeWords } from "@skein/reporting";
import type { Command } from "../command.js";
import { findWorkspace } from "../project/find-workspace.js";
import { explain, renderWhy, renderWhyNot } from "../render/why.js";
import { select } from "../select.js";
import { survey } from "../survey.js";
import type { AffectedWorld } from "../world.js";

/**
 * Runs `affected why` and `affected why-not`. It returns 0 if the package is affected, or not affected, as the verb
 * assumes; otherwise 1.
 */
export async function why(
  world: AffectedWorld,
  {
    kind,
    options,
    workspace,
    script,
    all,
    json,
  }: Extract<Command, { kind: "why" | "why-not" }>,
): Promise<number> {
  const facts = await survey(world, { options, complete: true, script });
  const { name } = findWorkspace(workspace, facts.head.graph, {
    cwd: world.cwd,
    root: facts.root ?? world.cwd,
  });
  const selection = await select(world, facts, [], script);
  const answer = explain(name, facts, selection, all);
  if (json)
    world.stdout.write(
      `${JSON.stringify({ version: 1, ...answer }, null, 2)}\n`,
    );
  else if (kind === "why") world.stdout.write(renderWhy(answer));
  else writeWords(world.stdout, renderWhyNot(name, facts, selection));
  if (kind === "why" && script !== undefined) {
    const { evidenceWords } = await import("../evidence/evidence.js");
    const about = { name, script };
    const words = await evidenceWords(world, facts, selection, about);
    if (words !== undefined) writeWords(world.stderr, words);
  }
  return answer.affected === (kind === "why") ? ExitCode.Ok : ExitCode.Bad;
}

import { ExitCode } from "@skein/reporting";
import type { Command } from "../command.js";
import { renderJson } from "../render/json.js";
import { renderNames } from "../render/names.js";
import { renderPackages } from "../render/table.js";
import { changesetWords, reasonWords } from "../render/words.js";
import { select } from "../select.js";
import { survey } from "../survey.js";
import type { AffectedWorld } from "../world.js";

/** `affected list`: what is affected, to stdout; what was compared, for people, to stderr. */
export async function list(
  world: AffectedWorld,
  { options, script, format }: Extract<Command, { kind: "list" }>,
): Promise<number> {
  const { stdout, stderr } = world;
  const facts = await survey(world, { options, complete: false, script });
  const selected = await select(world, facts, options.filter, script);
  // Loaded only where it is asked for: it needs what `run` needs.
  const selection =
    facts.settings.affected.evidence === "off"
      ? selected
      : await (
          await import("../evidence.js")
        ).withEvidence(world, facts, selected, script);
  switch (format) {
    case "names": {
      // Nobody is to run everything for months unnoticed. What is unknown, a warning says.
      const [why] = selection.decision.everything;
      if (why && why.kind !== "unknown") stderr.write(`${reasonWords(why)}\n`);
      stdout.write(renderNames(selection.packages));
      break;
    }
    case "json":
      stdout.write(renderJson(facts, selection, script));
      break;
    case "table": {
      const width = stdout.isTTY ? stdout.columns : undefined;
      stderr.write(`${changesetWords(facts.changeset)}\n`);
      stdout.write(renderPackages(selection.packages, { width }));
    }
  }
  return ExitCode.Ok;
}

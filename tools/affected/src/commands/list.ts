import type { Out } from "@skein/reporting";
import { ExitCode } from "@skein/reporting/exit-codes";
import type { Command } from "../command.js";
import { renderNames } from "../render/names.js";
import { changesetWords, reasonWords } from "../render/words.js";
import { select } from "../select.js";
import { survey } from "../survey.js";
import type { AffectedWorld } from "../world.js";

/** Runs `affected list`. It writes the affected packages to stdout, and information for people to stderr. */
export async function list(
  world: AffectedWorld,
  {
    options,
    script,
    format,
    evidence: files,
  }: Extract<Command, { kind: "list" }>,
): Promise<number> {
  const { stdout, stderr } = world;
  const facts = await survey(world, { options, complete: false, script });
  const selected = await select(world, facts, options.filter, script);
  // This module is loaded only if it is needed, because it depends on the modules of `run`.
  const selection =
    facts.settings.affected.evidence === "off"
      ? selected
      : await (
          await import("../evidence/evidence.js")
        ).withEvidence(world, facts, selected, { script, files });
  switch (format) {
    case "names": {
      // Without this line, people could run everything for months and not notice. If the reason is unknown changes, a
      // warning already reports it.
      const [why] = selection.decision.everything;
      if (why && why.kind !== "unknown") await inform(stderr, reasonWords(why));
      stdout.write(renderNames(selection.packages));
      break;
    }
    case "json": {
      const { renderJson } = await import("../render/json.js");
      stdout.write(renderJson(facts, selection, script));
      break;
    }
    case "table": {
      const { renderPackages } = await import("../render/table.js");
      const width = stdout.isTTY ? stdout.columns : undefined;
      await inform(stderr, changesetWords(facts.changeset));
      stdout.write(renderPackages(selection.packages, { width }));
    }
  }
  return ExitCode.Ok;
}

/** Prints a sentence for people. */
async function inform(stderr: Out, words: string): Promise<void> {
  const { writeWords } = await import("@skein/reporting/wrap-words");
  writeWords(stderr, `${words}\n`);
}

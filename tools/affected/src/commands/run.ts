import { availableParallelism } from "node:os";
import { ExitCode } from "@skein/reporting";
import { openYarnProject, planUnits, runUnits } from "@skein/runner";
import type { RunReport, RunnableWorkspace } from "@skein/runner";
import type { Command } from "../command.js";
import { reasonWords, changesetWords, unknownWords } from "../render/words.js";
import { select } from "../select.js";
import type { Selection } from "../select.js";
import { survey } from "../survey.js";
import type { Survey } from "../survey.js";
import type { AffectedWorld } from "../world.js";

/** `affected run <script>`: 0 if nothing failed, 1 if a script did, 3 if the run did not come to its end. */
export async function run(
  world: AffectedWorld,
  { options, run: asked }: Extract<Command, { kind: "run" }>,
): Promise<number> {
  const facts = await survey(world, { options, complete: true });
  const selection = await select(world, facts, options.filter, asked.script);
  const { stderr } = world;
  stderr.write(`${changesetWords(facts.changeset)}\n`);
  for (const each of facts.changeset.unknown)
    stderr.write(`warning: ${unknownWords(each)}\n`);
  for (const { name, reasons } of selection.packages)
    stderr.write(
      `  ${name}: ${reasons[0] ? reasonWords(reasons[0]) : "asked for"}\n`,
    );
  const plan = planUnits({
    workspaces: runnable(facts),
    edges: facts.head.graph.edges,
    selected: chosen(facts, selection, asked.includeRoot),
    scripts: [asked.script],
    args: asked.args,
    pipeline: facts.settings.pipeline,
  });
  const report = await runUnits(plan, {
    project: await openYarnProject({
      root: facts.root,
      env: world.env,
      node: world.node,
    }),
    concurrency: asked.concurrency ?? availableParallelism(),
    bail: asked.bail,
    ...(asked.timeout !== undefined && { timeoutMs: asked.timeout * 1000 }),
    signal: world.signal,
    now: world.now,
    onEvent: (event) => {
      if (event.kind !== "ended") return;
      const { result } = event;
      if ("output" in result && result.status !== "passed")
        world.stdout.write(result.output.text);
      world.stderr.write(`${result.status} ${result.unit.id}\n`);
    },
  });
  return exitCodeOf(report);
}

/** The root's script mostly calls all the others, this tool among them: it runs only where it is asked for. */
function chosen(
  { head }: Survey,
  { packages }: Selection,
  includeRoot: boolean,
): string[] {
  return packages
    .map(({ name }) => name)
    .filter((name) => includeRoot || name !== head.graph.root);
}

function runnable({ head }: Survey): RunnableWorkspace[] {
  return head.packages.map(({ name, dir, manifest }) => {
    const version = manifest?.fields["version"];
    return {
      name,
      dir,
      scripts: manifest?.scripts ?? {},
      ...(typeof version === "string" && { version }),
    };
  });
}

function exitCodeOf({ results, interrupted }: RunReport): number {
  if (interrupted) return ExitCode.Unfinished;
  const bad = results.some(
    ({ status }) => status === "failed" || status === "timed-out",
  );
  return bad ? ExitCode.Bad : ExitCode.Ok;
}

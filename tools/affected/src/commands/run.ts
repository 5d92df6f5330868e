import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ExitCode, nearest, printable, usageFailure } from "@skein/reporting";
import type { Out } from "@skein/reporting";
import {
  isBad,
  openRunView,
  openYarnProject,
  planUnits,
  readDurations,
  renderJunit,
  reportJson,
  runUnits,
  withRun,
  writeDurations,
} from "@skein/runner";
import type { RunReport, RunnableWorkspace, UnitPlan } from "@skein/runner";
import { cacheDirOf } from "../cache-dir.js";
import { verbs } from "../command.js";
import type { Command, RunOptions } from "../command.js";
import { changesetWords, reasonWords } from "../render/words.js";
import { select } from "../select.js";
import type { Selection } from "../select.js";
import { assertLocal, survey } from "../survey.js";
import type { LocalSurvey, Survey } from "../survey.js";
import type { AffectedWorld } from "../world.js";
import { wholeGraph } from "../whole-graph.js";
import { writeText } from "../write-text.js";

/** `affected run <script>`: 0 if nothing failed, 1 if a script did, 3 if the run did not come to its end. */
export async function run(
  world: AffectedWorld,
  { options, run: asked }: Extract<Command, { kind: "run" }>,
): Promise<number> {
  const facts = await survey(world, {
    options,
    complete: true,
    script: asked.script,
  });
  assertLocal(facts);
  assertScript(facts, asked.script);
  const selection = await select(world, facts, options.filter, asked.script);
  explainTo(world.stderr, facts, selection);
  const plan = planUnits({
    workspaces: runnable(facts),
    edges: wholeGraph(facts).edges,
    selected: chosen(facts, selection, asked.includeRoot),
    scripts: [asked.script],
    args: asked.args,
    pipeline: facts.settings.pipeline,
  });
  if (asked.dryRun) {
    world.stdout.write(renderPlan(plan));
    return ExitCode.Ok;
  }
  const report = await runPlan(world, facts, plan, asked);
  await writeReports(world, report, asked);
  return exitCodeOf(report);
}

/** A misspelt script would run nothing, and be green. @throws Failure (usage) where no package has it */
function assertScript({ head }: Survey, script: string): void {
  const scripts = new Set(
    head.packages.flatMap(({ manifest }) =>
      Object.keys(manifest?.scripts ?? {}),
    ),
  );
  if (scripts.has(script)) return;
  const near = nearest(script, [...scripts, ...verbs]);
  throw usageFailure(
    `no package has a script called ${JSON.stringify(script)}`,
    {
      ...(near.length > 0 && {
        hint: `did you mean ${near.map((name) => `\`affected ${printable(name)}\``).join(" or ")}?`,
      }),
    },
  );
}

async function runPlan(
  world: AffectedWorld,
  { root, repository }: LocalSurvey,
  plan: UnitPlan,
  asked: RunOptions,
): Promise<RunReport> {
  const { env, now, signal, node } = world;
  const concurrency = asked.concurrency ?? availableParallelism();
  const history = join(cacheDirOf(env, repository), "durations.json");
  const durations = await readDurations(history);
  const view = openRunView({
    plan,
    // With --json, stdout is the report's alone.
    out: asked.json ? world.stderr : world.stdout,
    env,
    mode: asked.output,
    concurrency,
    now,
    durations,
    token: world.token(),
  });
  try {
    const report = await runUnits(plan, {
      project: await openYarnProject({ root, env, node }),
      concurrency,
      bail: asked.bail,
      ...(asked.timeout !== undefined && { timeoutMs: asked.timeout * 1000 }),
      signal,
      now,
      durations,
      onEvent: view.onEvent,
    });
    view.finish(report);
    // A folder that cannot be written costs the next run its estimates, and this run nothing.
    await writeDurations(
      history,
      withRun(durations, report),
      world.token(),
    ).catch(() => undefined);
    return report;
  } finally {
    view.close();
  }
}

async function writeReports(
  { cwd, stdout }: AffectedWorld,
  report: RunReport,
  { json, junit, report: file }: RunOptions,
): Promise<void> {
  const text = () => `${JSON.stringify(reportJson(report), null, 2)}\n`;
  if (json) stdout.write(text());
  if (file !== undefined) await writeText(cwd, file, text());
  if (junit !== undefined) await writeText(cwd, junit, renderJunit(report));
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

/** What was compared and what it comes to, a line each, so that a run never has to be explained afterwards. */
function explainTo(
  stderr: Out,
  { changeset }: Survey,
  { packages }: Selection,
): void {
  stderr.write(`${changesetWords(changeset)}\n`);
  if (packages.length === 0) stderr.write("no package is affected\n");
  for (const { name, reasons } of packages.slice(0, MOST))
    stderr.write(
      `  ${printable(name)}: ${reasons[0] ? reasonWords(reasons[0]) : "asked for"}\n`,
    );
  if (packages.length > MOST)
    stderr.write(
      `  and ${packages.length - MOST} more: affected list --table shows them all\n`,
    );
}

/** Packages that are explained before a run. */
const MOST = 20;

function renderPlan({ units }: UnitPlan): string {
  return units
    .filter(({ command }) => command !== undefined)
    .map(({ id, command }) => `${printable(id)}: ${printable(command ?? "")}\n`)
    .join("");
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
  return results.some(isBad) ? ExitCode.Bad : ExitCode.Ok;
}

import { availableParallelism } from "node:os";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "@skein/git";
import { ExitCode, printable, writeWords, type Out } from "@skein/reporting";
import { appendSummary } from "@skein/reporting/actions-files";
import type { Memory } from "@skein/result-cache";
import {
  isBad,
  openRunView,
  openYarnProject,
  planUnits,
  readDurations,
  renderJunit,
  renderRunMarkdown,
  replayedWords,
  reportJson,
  runUnits,
  withRun,
  writeDurations,
  type RunEvent,
  type RunReport,
  type Unit,
  type UnitPlan,
  type UnitResult,
} from "@skein/runner";
import { cacheDirOf } from "../cache-dir.js";
import { verbs, type Command, type RunOptions } from "../command.js";
import { withEvidence } from "../evidence/evidence.js";
import { fileClock } from "../files/file-clock.js";
import { lookAtTree, type TreeLook } from "../fingerprints/look.js";
import { openTree } from "../fingerprints/open-tree.js";
import { findPlace } from "../project/place.js";
import { chosen, planOf } from "../scripts/plan.js";
import { scriptCache } from "@skein/workspaces";
import { scriptFailure } from "../scripts/find-script.js";
import { changesetWords, reasonWords } from "../render/words.js";
import { isInstalled } from "../cache/install-state.js";
import { openCachePlace, openRunCache } from "../cache/run-cache.js";
import type { CachePlace, RunProject } from "../cache/run-cache.js";
import { select, selectAll, warn, type Selection } from "../select.js";
import { asItIs, assertLocal, survey, type Survey } from "../survey.js";
import type { AffectedWorld } from "../world.js";
import { writeText } from "@skein/reporting/write-text";

type RunCommand = Extract<Command, { kind: "run" | "watch" }>;

/** Runs `affected run <script>`. It returns 0 if nothing failed, 1 if a script failed, and 3 if the run was interrupted. */
export async function run(
  world: AffectedWorld,
  command: RunCommand,
): Promise<number> {
  const asked = command.run;
  const begin = fileClock();
  const { project, plan, look, place } =
    (await planAll(world, command)) ?? (await planSelected(world, command));
  const cache =
    asked.cache === "off"
      ? undefined
      : await openRunCache(world, project, {
          ...{ plan, begin, look, place },
          mode: asked.cache,
        });
  if (asked.dryRun) {
    world.stdout.write(renderPlan(plan, cache?.memory));
    return ExitCode.Ok;
  }
  const report = await runPlan(world, project, plan, {
    ...asked,
    memory: cache?.memory,
  });
  await cache?.finish(report.interrupted);
  await writeReports(world, report, asked);
  const hint = hintFor(report.results.filter(lacksProgram), project.root);
  if (hint !== undefined) writeWords(world.stderr, hint);
  return exitCodeOf(report);
}

/** Returns why shells didn't find a program, if it shows. */
function hintFor(
  results: readonly UnitResult[],
  root: string,
): string | undefined {
  const dirs = results
    .map(({ unit }) => unit.dir)
    .filter((dir) => !existsSync(join(root, dir)));
  if (dirs.length > 0)
    return `hint: these folders aren't checked out (\`git sparse-checkout add\`): ${dirs.map(printable).join(", ")}\n`;
  return results.length > 0 && !isInstalled(root)
    ? "hint: nothing is installed in this workspace: run `yarn install` first\n"
    : undefined;
}

/** Returns whether the shell didn't find a program of the script. */
function lacksProgram(result: UnitResult): boolean {
  return result.status === "failed" && result.exitCode === 127;
}

/** The units to run, and where. */
interface Planned {
  readonly project: RunProject;
  readonly plan: UnitPlan;
  /** The working tree, if the plan was made from its fingerprints. */
  readonly look?: TreeLook;
  /** The places of results, if another machine shares fingerprints there. */
  readonly place?: CachePlace | undefined;
}

/**
 * Plans a script in every package. The fingerprints of the working tree, which the cache of results needs anyway, name
 * all packages, so that nothing else has to be read if the tree is the same as in an earlier run.
 * @returns undefined if something else was asked for, or if no package has the script
 */
async function planAll(
  world: AffectedWorld,
  { options, run: asked }: RunCommand,
): Promise<Planned | undefined> {
  const { script, args, includeRoot } = asked;
  if (!asked.all || options.filter.length > 0 || asked.cache === "off")
    return undefined;
  const isShared = (world.env["SKEIN_CACHE_URL"] ?? "") !== "";
  const place = isShared
    ? await openCachePlace(
        world,
        await (
          await findPlace(world, false, world.early)
        ).opening,
      )
    : undefined;
  const look = await lookAtTree(world, undefined, place?.remote);
  const { settings } = look;
  if (scriptCache(settings.cache, script) === false) return undefined;
  const tree = await openTree(world, look, script);
  const selected = tree.units.filter(({ dir }) => includeRoot || dir !== ".");
  if (!selected.some(({ scripts }) => Object.hasOwn(scripts, script)))
    return undefined;
  await warn(world, tree);
  const plan = planUnits({
    workspaces: tree.units.map(({ version, ...unit }) => ({
      ...unit,
      ...(version !== undefined && { version }),
    })),
    edges: tree.edges.map(([from, to, kind]) => ({ from, to, kind })),
    selected: selected.map(({ name }) => name),
    ...{ scripts: [script], args, pipeline: settings.pipeline },
  });
  return { project: tree, plan, look, place };
}

/** Plans a script in the packages that the options select. @throws Failure (usage) if none of them has it */
async function planSelected(
  world: AffectedWorld,
  { options, run: asked }: RunCommand,
): Promise<Planned> {
  const facts = await survey(world, {
    options: asked.all ? asItIs(options) : options,
    complete: true,
    script: asked.script,
    wholeGraph: asked.all,
  });
  assertLocal(facts);
  const selected = asked.all
    ? await selectAll(world, facts, options.filter)
    : await select(world, facts, options.filter, asked.script);
  const failure = scriptFailure({
    script: asked.script,
    packages: facts.head.packages,
    selected: chosen(facts, selected, asked.includeRoot),
    includeRoot: asked.includeRoot,
    verbs,
  });
  if (failure && !asked.ifPresent) throw failure;
  const selection = await withEvidence(world, facts, selected, {
    script: asked.args.length > 0 || asked.all ? undefined : asked.script,
  });
  // With `--all`, the user chose the packages.
  if (!asked.all) explainTo(world.stderr, facts, selection);
  if (failure) writeWords(world.stderr, `${printable(failure.message)}\n`);
  return { project: facts, plan: planOf(facts, selection, asked) };
}

/**
 * Runs a plan as the options ask, and records how long each unit took.
 * @param onEvent receives each event, as the view does
 */
export async function runPlan(
  world: AffectedWorld,
  { root, repository }: Pick<RunProject, "root" | "repository">,
  plan: UnitPlan,
  asked: RunOptions & { readonly memory: Memory | undefined },
  onEvent?: (event: RunEvent) => void,
): Promise<RunReport> {
  const { env, now, signal, node } = world;
  const concurrency = asked.concurrency ?? availableParallelism();
  const history = join(cacheDirOf(env, repository), "durations.json");
  const durations = await readDurations(history);
  const view = openRunView({
    plan,
    // With --json, stdout contains only the report.
    out: asked.json ? world.stderr : world.stdout,
    env,
    mode: asked.output,
    concurrency,
    now,
    durations,
    token: world.token(),
    root,
    summary: { verbose: asked.verbose, again },
  });
  try {
    const report = await runUnits(plan, {
      project: await openYarnProject({ root, env, node }),
      concurrency,
      bail: asked.bail,
      batch: asked.batch,
      ...(asked.timeout !== undefined && { timeoutMs: asked.timeout * 1000 }),
      signal,
      now,
      durations,
      onEvent: (event) => {
        onEvent?.(event);
        view.onEvent(event);
      },
      memory: asked.memory,
    });
    view.finish(report);
    // If the folder isn't writable, the next run lacks estimates; this run is unaffected.
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
  { cwd, env, stdout }: AffectedWorld,
  report: RunReport,
  { script, json, junit, report: file }: RunOptions,
): Promise<void> {
  const text = () => `${JSON.stringify(reportJson(report), null, 2)}\n`;
  if (json) stdout.write(text());
  if (file !== undefined) await writeText(cwd, file, text());
  await appendSummary(env, () => renderRunMarkdown(report, script, again));
  if (junit !== undefined) await writeText(cwd, junit, renderJunit(report));
}

/** Returns the command that reruns one script, whatever is affected by then. */
function again({ workspace, script, args }: Unit): string {
  return ["yarn", "workspace", workspace, "run", script, ...args]
    .map(shellWord)
    .join(" ");
}

/**
 * Prints the comparison and the first reason of each package, so that users don't need to ask why a script
 * ran.
 */
function explainTo(
  stderr: Out,
  { changeset }: Survey,
  { packages }: Selection,
): void {
  writeWords(stderr, `${changesetWords(changeset)}\n`);
  if (packages.length === 0) stderr.write("no package is affected\n");
  for (const { name, reasons } of packages.slice(0, MOST))
    writeWords(
      stderr,
      `  ${printable(name)}: ${reasons[0] ? reasonWords(reasons[0]) : "asked for"}\n`,
    );
  if (packages.length > MOST)
    stderr.write(
      `  and ${packages.length - MOST} more: affected list --table shows them all\n`,
    );
}

/** The maximum number of packages that are explained before a run. */
const MOST = 20;

function renderPlan({ units }: UnitPlan, memory: Memory | undefined): string {
  return units
    .filter(({ command }) => command !== undefined)
    .map((unit) => {
      const known = memory?.known(unit);
      const replay = known
        ? ` (${replayedWords({ commit: known.commit ?? undefined, at: known.at })})`
        : "";
      return `${printable(unit.id)}: ${printable(unit.command ?? "")}${replay}\n`;
    })
    .join("");
}

function exitCodeOf({ results, interrupted }: RunReport): number {
  if (interrupted) return ExitCode.Unfinished;
  return results.some(isBad) ? ExitCode.Bad : ExitCode.Ok;
}

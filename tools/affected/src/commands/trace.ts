import { realpathSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { ExitCode, usageFailure } from "@skein/reporting";
import { isBad, openRunView, openYarnProject } from "@skein/runner";
import type { UnitPlan, YarnProject } from "@skein/runner";
import {
  HooksRecorder,
  Places,
  StraceRecorder,
  findMisses,
  findUnusedEdges,
  makeTraces,
  recordRun,
  renderTrace,
  renderTraceHtml,
  traceJson,
  traceSummary,
  whyNoStrace,
} from "@skein/trace";
import type { RecordedRun, Recorder, TraceReport } from "@skein/trace";
import type { Command, TraceOptions } from "../command.js";
import { diskFiles } from "../files/files.js";
import { keepEvidence } from "../evidence/evidence.js";
import { assertScript, planOf } from "../scripts/plan.js";
import { select, selectAll } from "../select.js";
import { asItIs, assertLocal, survey } from "../survey.js";
import type { LocalSurvey, Survey } from "../survey.js";
import { openSelection } from "../evidence/trace-selection.js";
import type { AffectedWorld } from "../world.js";
import { wholeGraph } from "../project/whole-graph.js";
import { writeText } from "@skein/reporting/write-text";

type TraceCommand = Extract<Command, { kind: "trace" }>;

/**
 * Runs `affected trace [script]`. It returns 1 if a script failed or, with `--check`, if a unit read a file that
 * selection doesn't account for.
 */
export async function trace(
  world: AffectedWorld,
  { options, trace: asked }: TraceCommand,
): Promise<number> {
  if (options.head !== undefined || options.pr !== undefined)
    throw usageFailure(
      "trace runs the files that are checked out; it cannot trace a different commit",
      {
        hint: "check it out, and run trace there",
      },
    );
  const factsFor = (script: string) =>
    survey(world, {
      options: asked.all ? asItIs(options) : options,
      complete: true,
      script,
      wholeGraph: true,
    });
  const facts = await factsFor(asked.script);
  assertLocal(facts);
  assertScript(facts, asked.script);
  const selection = asked.all
    ? await selectAll(world, facts, options.filter)
    : await select(world, facts, options.filter, asked.script);
  const plan = planOf(facts, selection, {
    script: asked.script,
    args: [],
    includeRoot: false,
  });
  // The scripts that the pipeline runs before have other references.
  const byScript = new Map<string, Survey>([[asked.script, facts]]);
  for (const { script } of plan.units)
    if (!byScript.has(script)) byScript.set(script, await factsFor(script));
  const folder = realpathSync(await mkdtemp(join(tmpdir(), "skein-trace-")));
  try {
    return await recordPlan(world, facts, plan, { asked, folder, byScript });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface RecordRequest {
  readonly asked: TraceOptions;
  /** A temporary folder for this run only. */
  readonly folder: string;
  /** The facts for each script of the plan. */
  readonly byScript: ReadonlyMap<string, Survey>;
}

async function recordPlan(
  world: AffectedWorld,
  facts: LocalSurvey,
  plan: UnitPlan,
  { asked, folder, byScript }: RecordRequest,
): Promise<number> {
  const { env, node, now, signal } = world;
  const root = realpathSync(facts.root);
  const project = await openYarnProject({ root, env, node });
  // The sources are listed before the scripts run, because files that scripts write aren't sources.
  const sources = await diskFiles(facts.root, () =>
    Promise.resolve(facts.repository),
  ).list();
  // The folder is still empty. Its time changes with the first unit.
  const begin = statSync(folder).ctimeMs;
  const recorder = await openRecorder(world, project, { asked, folder });
  if (recorder.why !== undefined)
    world.stderr.write(
      `warning: traces are incomplete, because Node's hooks record them: ${recorder.why}\n`,
    );
  const concurrency = asked.concurrency ?? availableParallelism();
  const view = openRunView({
    ...{ plan, env, concurrency, now, token: world.token() },
    out: world.stderr,
    mode: "failed",
    durations: new Map(),
  });
  let run: RecordedRun;
  try {
    run = await recordRun(
      plan,
      {
        ...{ project, concurrency, signal, now, onEvent: view.onEvent },
        ...(asked.timeout !== undefined && { timeoutMs: asked.timeout * 1000 }),
      },
      recorder,
    );
    view.finish(run.report);
  } finally {
    view.close();
  }
  const report = judge(facts, run, {
    ...{ recorder, sources, byScript },
    places: placesOf(world, facts, {
      root,
      sources,
      private: [folder, ...run.folders],
    }),
  });
  await writeReports(world, report, asked);
  const { script, evidence: file } = asked;
  await keepEvidence(world, facts, report.traces, {
    ...{ script, begin, sources, file },
  });
  if (run.report.interrupted) return ExitCode.Unfinished;
  const isMissed = asked.check && report.misses.length > 0;
  return isMissed || run.report.results.some(isBad)
    ? ExitCode.Bad
    : ExitCode.Ok;
}

async function openRecorder(
  { cwd, env, node }: AffectedWorld,
  { needsYarn }: YarnProject,
  { asked, folder }: Omit<RecordRequest, "byScript">,
): Promise<Recorder> {
  const why =
    asked.recorder === "hooks"
      ? "--recorder hooks"
      : await whyNoStrace(env, node.platform);
  const options = { folder, viaYarn: needsYarn };
  return why === undefined
    ? new StraceRecorder(options, realpathSync(cwd))
    : new HooksRecorder(options, why);
}

function placesOf(
  { env }: AffectedWorld,
  { repository }: LocalSurvey,
  known: {
    readonly root: string;
    readonly sources: readonly string[];
    readonly private: readonly string[];
  },
): Places {
  const { HOME: home = homedir(), XDG_CACHE_HOME: cache } = env;
  return new Places({
    ...known,
    caches: [
      // npx runs packages from ~/.npm.
      ...[tmpdir(), join(home, ".cache"), join(home, ".npm")],
      ...(cache === undefined ? [] : [cache]),
    ].map(real),
    repository: repository.topLevel && real(repository.topLevel),
    git: [repository.gitDir, repository.commonDir].map(real),
  });
}

/** Returns a path without symlinks; the path itself if nothing exists there. */
function real(path: string): string {
  // An empty variable names no path.
  if (path === "") return path;
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function judge(
  facts: LocalSurvey,
  { recorded, notRun }: RecordedRun,
  known: {
    readonly recorder: Recorder;
    readonly sources: readonly string[];
    readonly places: Places;
    readonly byScript: ReadonlyMap<string, Survey>;
  },
): TraceReport {
  const traces = makeTraces(recorded, known.places);
  const { edges, workspaces } = wholeGraph(facts);
  // Skein does not know which files the other units of a package would have used.
  const isPartial = new Set(notRun.map(({ workspace }) => workspace));
  const dirOf = (name: string) => workspaces.get(name)?.dir;
  const selections = new Map<string, ReturnType<typeof openSelection>>();
  const selectionOf = (script: string) => {
    const selection =
      selections.get(script) ??
      openSelection(known.byScript.get(script) ?? facts, known.sources, script);
    selections.set(script, selection);
    return selection;
  };
  return {
    recorder: known.recorder,
    ...{ traces, notRun },
    misses: findMisses(traces, selectionOf),
    unusedEdges: findUnusedEdges(
      traces,
      edges
        .filter(({ from }) => !isPartial.has(from))
        .map(({ from, to, kind, evidence }) => ({ from, to, kind, evidence })),
      dirOf,
    ),
    dirOf: (name) => dirOf(name) ?? ".",
  };
}

async function writeReports(
  { cwd, stdout, stderr }: AffectedWorld,
  report: TraceReport,
  { json, report: file, html }: TraceOptions,
): Promise<void> {
  const text = () => `${JSON.stringify(traceJson(report), null, 2)}\n`;
  if (file !== undefined) await writeText(cwd, file, text());
  if (html !== undefined) await writeText(cwd, html, renderTraceHtml(report));
  stdout.write(json ? text() : renderTrace(report));
  stderr.write(`${traceSummary(report)}\n`);
}

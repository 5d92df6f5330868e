import { basename } from "node:path";
import { ExitCode, Failure, printable, writeText } from "@skein/reporting";
import { versionAbove } from "@skein/reporting/version-above";
import { addRepository, type AddOutcome } from "../add/add-repository.js";
import { inOneLine } from "../words/problem-words.js";
import { explainRefusal, type Refusal } from "../refusals/index.js";
import { readRecord, recordedMigrations } from "../record/record.js";
import { explainSource } from "../survey/source-failure.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import { scriptsPassed } from "../scripts/render-scripts.js";
import { openRun, type WorkRun } from "../work/work.js";
import type { MigrateWorld } from "../world.js";
import { isManifestIn, readManifest, type Manifest } from "./manifest.js";
import { compareWithSource } from "./compare-with-source.js";
import { isSameSource } from "./same-source.js";
import { lookAtSources, type SourceLook } from "./look-at-sources.js";
import { orderByDependency } from "./order.js";
import { prepareAhead, type Ahead } from "./prepare-ahead.js";
import { recordedManifest } from "./recorded.js";
import type { WholeCheck } from "./check-whole.js";
import { reconcileWhole } from "./whole-check.js";
import { notesOf, warningsOf } from "./batch-notes.js";
import { reasonsOf } from "./blocked-reasons.js";
import { repositoryEvent, workspaceEvent } from "./batch-events.js";
import { renderBatch, stateOf, type BatchRow } from "./render-batch.js";

export interface ManifestOptions {
  /** The manifest's path; undefined for a manifest with a default name. */
  readonly file: string | undefined;
  readonly mode: "plan" | "apply" | "status";
  /** The path of the report, `.md` or `.html`; undefined for text on standard output. */
  readonly report: string | undefined;
  /** Finishes a migration that was killed, so that the others can continue. */
  readonly recover: () => Promise<void>;
  /** The number of sources that are fetched and rewritten at once. */
  readonly concurrency: number;
}

/**
 * Compares the workspace with a manifest, and with `apply` migrates what is missing. It fetches and rewrites several
 * sources at once, and lands them one by one in the order of their dependencies. A refusal stops one repository, not
 * the others. A second run skips what is done.
 * @returns 0 if everything in the manifest is migrated (or can be, for `plan`)
 */
export async function runManifest(
  world: MigrateWorld,
  options: ManifestOptions,
): Promise<number> {
  const manifest = await manifestFor(world, options);
  if (options.mode === "apply") await options.recover();
  const { concurrency, mode } = options;
  const dryRun = mode !== "apply";
  const looks = await lookAtSources(world, manifest.repositories, concurrency);
  const rows = new Map<SourceLook, BatchRow>();
  const target = await surveyTarget(world.cwd, world.env);
  await using run = await openRun(world, target, {
    name: basename(options.file ?? "the manifest"),
    dryRun,
    many: true,
  });
  const order = orderByDependency(looks);
  const todo = order.filter(
    (look) => look.problem === undefined && !isRecorded(target, look),
  );
  await using ahead = prepareAhead(world, run, todo, {
    concurrency,
    dryRun,
    target,
  });
  for (const look of order) {
    if (world.signal.aborted)
      throw new Failure("interrupted; what has landed is complete", {
        hint: "migrate-repo apply continues where it stopped",
      });
    const row = await reconcile(world, look, { mode, run, ahead, target });
    rows.set(look, row);
    reportRow(world, row, options);
  }
  const inOrder = looks.flatMap((look) => rows.get(look) ?? []);
  const present = looks.filter((look) =>
    ["done", "stale", "migrated"].includes(rows.get(look)?.state ?? ""),
  );
  const whole =
    mode === "plan"
      ? undefined
      : await reconcileWhole(world, {
          mode,
          requests: manifest.repositories,
          present: present.map(wantedName),
          landed: inOrder.some(({ state }) => state === "migrated"),
        });
  await reportBatch(world, options, inOrder, whole, target);
  return inOrder.every((row) => isGood(row, mode)) && whole?.ok !== false
    ? ExitCode.Ok
    : ExitCode.Bad;
}

/** Reports one repository as soon as it is finished. */
function reportRow(
  { stderr, print }: MigrateWorld,
  row: BatchRow,
  { report }: ManifestOptions,
): void {
  // Without --report, the reasons follow in the report on stdout.
  const reasons = report === undefined ? [] : reasonsOf(row);
  stderr.write(
    `${[row.source, stateOf(row), ...reasons].map(printable).join(": ")}\n`,
  );
  print("", repositoryEvent(row));
}

/** Writes the report of all repositories to its file, or to stdout. */
async function reportBatch(
  { now, cwd, print, stderr }: MigrateWorld,
  options: ManifestOptions,
  rows: readonly BatchRow[],
  whole: WholeCheck | undefined,
  target: TargetFacts,
): Promise<void> {
  const { report: file } = options;
  const report = renderBatch(
    rows,
    formatOf(options),
    whole?.lines,
    madeWords(now(), target),
  );
  print(
    file === undefined ? report : "",
    ...(whole ? [workspaceEvent(whole)] : []),
  );
  if (file === undefined) return;
  await writeText(cwd, file, report);
  stderr.write(`The report is in ${printable(file)}.\n`);
}

/** Returns whether nothing is left to do, as far as this command does it. */
function isGood(
  { state, failedSince }: BatchRow,
  mode: ManifestOptions["mode"],
): boolean {
  const good: readonly BatchRow["state"][] =
    mode === "status" ? ["done"] : ["done", "planned", "migrated"];
  return good.includes(state) && failedSince !== true;
}

async function manifestFor(
  { cwd, env }: MigrateWorld,
  { file, mode }: ManifestOptions,
): Promise<Manifest> {
  if (mode === "status" && file === undefined && !isManifestIn(cwd)) {
    const recorded = await recordedManifest(await surveyTarget(cwd, env));
    if (recorded.repositories.length > 0) return recorded;
  }
  return readManifest(cwd, file);
}

interface Turn {
  readonly mode: ManifestOptions["mode"];
  readonly run: WorkRun;
  readonly ahead: Ahead;
  /** The target at the start. */
  readonly target: TargetFacts;
}

async function reconcile(
  world: MigrateWorld,
  look: SourceLook,
  { mode, run, ahead, target }: Turn,
): Promise<BatchRow> {
  const base = { source: look.request.source, name: look.name };
  const blocked = (texts: readonly string[]): BatchRow => ({
    ...base,
    state: "blocked",
    notes: texts.map((text) => ({ topic: "blocked", text })),
  });
  if (look.problem !== undefined) return blocked([look.problem]);
  // The record has the migration's name, which the package may not have. It may be a record of this run.
  const stored = await readRecord(target.git, wantedName(look));
  try {
    if (stored && !isSameSource(stored, look))
      return blocked([
        inOneLine(
          `"${stored.record.name}" was migrated from ${stored.record.source.fetchFrom}, a different repository`,
          'give this one another name: "name" in the manifest',
        ),
      ]);
    if (stored)
      return {
        ...base,
        ...(await compareWithSource(run, look, stored, target)),
      };
    const prepared = await ahead.take(look);
    const outcome = await addRepository(world, look.request, {
      dryRun: mode !== "apply",
      onPlan: undefined,
      link: false,
      run,
      ...(prepared && { prepared }),
    });
    world.progress.end();
    return outcome.kind === "refused"
      ? blocked(outcome.refusals.map(inOneLineOf))
      : { ...base, ...rowOf(outcome, mode) };
  } catch (thrown) {
    const error = explainSource(thrown);
    if (!(error instanceof Failure)) throw error;
    return blocked([inOneLine(error.message, error.hint)]);
  }
}

function inOneLineOf(refusal: Refusal): string {
  const { sentence, hint } = explainRefusal(refusal);
  return inOneLine(sentence, hint);
}

/** Returns the columns of a repository that is planned, or was migrated in this run. */
function rowOf(
  outcome: Exclude<AddOutcome, { kind: "refused" }>,
  mode: ManifestOptions["mode"],
): Omit<BatchRow, "source" | "name"> {
  if (outcome.kind === "planned")
    return {
      state: mode === "status" ? "pending" : "planned",
      commits: outcome.plan.commits,
      tags: outcome.plan.tags.length,
      ...(mode === "plan" && { notes: warningsOf(outcome.plan) }),
    };
  const { built, took, size, scripts, pullsFailure } = outcome;
  return {
    state: "migrated",
    figures: built.figures,
    tags: built.tags.length,
    took,
    size,
    failedSince:
      pullsFailure !== undefined ||
      (scripts !== undefined && !scriptsPassed(scripts)),
    notes: notesOf(outcome),
  };
}

/** Returns the origin of a report: the time, the version of the program, and the commit that it started from. */
function madeWords(now: number, { head }: TargetFacts): string {
  const time = new Date(now).toISOString().slice(0, 16).replace("T", " ");
  const at =
    head === undefined ? "" : ` in the workspace at ${head.slice(0, 10)}`;
  return `Made on ${time} UTC by migrate-repo ${versionAbove(import.meta.url)}${at}`;
}

function formatOf({ report }: ManifestOptions): "text" | "markdown" | "html" {
  if (report === undefined) return "text";
  return report.endsWith(".html") ? "html" : "markdown";
}

function isRecorded(target: TargetFacts, look: SourceLook): boolean {
  return recordedMigrations(target.refs).includes(wantedName(look));
}

function wantedName({ request, name }: SourceLook): string {
  return request.name ?? name;
}

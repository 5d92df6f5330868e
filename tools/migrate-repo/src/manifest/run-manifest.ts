import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ExitCode, Failure, printable } from "@skein/reporting";
import { addRepository, type AddOutcome } from "../add-repository.js";
import type { MigrationRequest } from "../migration.js";
import { explainRefusal } from "../problems.js";
import {
  readRecord,
  recordedMigrations,
  type MigrationRecord,
} from "../record.js";
import { renderPullReport } from "../pulls/render-pulls.js";
import { linesOf } from "../scripts/render-scripts.js";
import { surveyTarget } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";
import { readManifest } from "./manifest.js";
import { lookAtSources, type SourceLook } from "./look-at-sources.js";
import { orderByDependency } from "./order.js";
import { renderBatch, type BatchRow } from "./render-batch.js";

export interface ManifestOptions {
  /** Undefined: the one that is there. */
  readonly file: string | undefined;
  readonly mode: "plan" | "apply" | "status";
  /** Where the report goes, `.md` or `.html`; undefined: standard output, as Markdown. */
  readonly report: string | undefined;
  /** Finishes a migration that was killed, so that the rest can go on. */
  readonly recover: () => Promise<void>;
}

/**
 * Compares what a manifest declares with what is there, and with `apply` brings what is missing, one repository after
 * the other in the order of their dependencies. A refusal stops one repository, not the rest; run again, what is done is
 * left alone.
 * @returns 0 when everything declared is there (or can be, for `plan`)
 */
export async function runManifest(
  world: MigrateWorld,
  options: ManifestOptions,
): Promise<number> {
  const manifest = await readManifest(world.cwd, options.file);
  if (options.mode === "apply") await options.recover();
  const looks = await lookAtSources(world, manifest.repositories);
  const rows = new Map<SourceLook, BatchRow>();
  for (const look of orderByDependency(looks)) {
    if (world.signal.aborted)
      throw new Failure("Interrupted; what had landed is whole.", {
        hint: "migrate-repo apply goes on where it stopped.",
      });
    const row = await reconcile(world, look, options.mode);
    rows.set(look, row);
    world.stderr.write(`${printable(look.request.source)}: ${row.state}\n`);
  }
  const inOrder = looks.flatMap((look) => rows.get(look) ?? []);
  const asHtml = options.report?.endsWith(".html") === true;
  const report = renderBatch(inOrder, asHtml ? "html" : "markdown");
  if (options.report === undefined) world.stdout.write(report);
  else await writeFile(resolve(world.cwd, options.report), report);
  const good: readonly BatchRow["state"][] =
    options.mode === "status" ? ["done"] : ["done", "planned", "migrated"];
  return inOrder.every(({ state }) => good.includes(state))
    ? ExitCode.Ok
    : ExitCode.Bad;
}

async function reconcile(
  world: MigrateWorld,
  look: SourceLook,
  mode: ManifestOptions["mode"],
): Promise<BatchRow> {
  const base = { source: look.request.source, name: look.name };
  if (look.problem !== undefined)
    return { ...base, state: "blocked", why: [look.problem] };
  const record = await findDone(world, look);
  if (record) {
    const { figures } = record.receipt;
    return record.tip.old === look.tip
      ? { ...base, state: "done", figures }
      : {
          ...base,
          state: "stale",
          figures,
          why: [`migrate-repo sync ${record.name} brings what is new`],
        };
  }
  try {
    const outcome = await addRepository(world, look.request, {
      dryRun: mode !== "apply",
      onPlan: () => undefined,
    });
    world.progress.end();
    switch (outcome.kind) {
      case "refused":
        return {
          ...base,
          state: "blocked",
          why: outcome.refusals.map((refusal) => {
            const { sentence, hint } = explainRefusal(refusal);
            return `${sentence} ${hint}`;
          }),
        };
      case "planned":
        return {
          ...base,
          state: mode === "status" ? "pending" : "planned",
          commits: outcome.plan.commits,
        };
      case "landed": {
        const { built, took } = outcome;
        return {
          ...base,
          state: "migrated",
          figures: built.figures,
          tags: built.tags.length,
          took,
          why: [
            ...[...built.cleanUp, ...built.registration].flatMap(({ notes }) =>
              notes
                .filter(({ kind }) => kind !== "done")
                .map(({ text }) => text),
            ),
            ...afterwards(outcome),
          ],
        };
      }
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {
      ...base,
      state: "blocked",
      why: [`${error.message} ${error.hint ?? ""}`.trim()],
    };
  }
}

/** What scripts and pull requests came to, where they were asked for. */
function afterwards({
  scripts,
  pulls,
}: Extract<AddOutcome, { kind: "landed" }>): readonly string[] {
  return [
    ...(scripts ? linesOf(scripts).map((line) => line.trim()) : []),
    ...(pulls ? renderPullReport(pulls).trimEnd().split("\n") : []),
  ];
}

/** A repository is there when a record names it, whatever the package was called. */
async function findDone(
  world: MigrateWorld,
  look: SourceLook,
): Promise<MigrationRecord | undefined> {
  const target = await surveyTarget(world.cwd, world.env);
  const wanted = wantedName(look.request, look);
  if (!recordedMigrations(target.refs).includes(wanted)) return undefined;
  return (await readRecord(target.git, wanted))?.record;
}

function wantedName(request: MigrationRequest, look: SourceLook): string {
  return request.name ?? look.name;
}

import { resolve } from "node:path";
import { importRows, mergeEvents } from "@skein/delivery-metrics";
import type { PublishRule } from "@skein/delivery-metrics";
import { parseRepository, showRepository } from "@skein/github";
import { count, ExitCode, printable, usageFailure } from "@skein/reporting";
import type { ImportAction } from "./action.js";
import { readRecordedFiles } from "./import/read-rows.js";
import { openLedger } from "@skein/metrics-store";
import { openStore } from "./open-store.js";
import { readSettings } from "../project.js";
import type { DispatchWorld } from "../world.js";

const UNTOLD = "-/-";

/** Runs `ci-dispatch metrics import`. */
export async function metricsImport(
  world: DispatchWorld,
  action: ImportAction,
): Promise<number> {
  const { cwd, stdout, stderr } = world;
  const named =
    action.repository === undefined
      ? undefined
      : parseRepository(action.repository);
  if (action.repository !== undefined && !named)
    throw usageFailure(`${printable(action.repository)} is not a repository`, {
      hint: "set it with --repo owner/name",
    });
  const { rows, events } = await readRecordedFiles(
    action.paths.map((path) => resolve(cwd, path)),
  );
  const { metrics } = await readSettings(world);
  const imported = importRows(
    rows,
    named ? showRepository(named) : UNTOLD,
    (of) => ({
      upgrades: metrics.upgrades,
      publish: metrics.publish.filter(
        (rule) =>
          rule.from !== "npm" &&
          (rule.repository ?? of).toLowerCase() === of.toLowerCase(),
      ) as readonly PublishRule[],
    }),
  );
  // Two rows may describe one thing differently. The later row counts, as in the store. Otherwise each import would
  // count both as new.
  const all = mergeEvents([...events, ...imported.events]);
  if (all.length === 0)
    throw usageFailure("these files contain no rows of GitHub", {
      hint: "they contain rows of its REST API as JSON, NDJSON, or CSV with a column `data`",
    });
  if (all.some(({ repository }) => repository === UNTOLD))
    throw usageFailure("some rows do not name their repository", {
      hint: "set it with --repo owner/name",
    });
  const ledger = await openLedger(await openStore(world, action.to));
  ledger.keep(all);
  await ledger.save();
  const fresh = await ledger.pack();
  for (const note of [...ledger.notes, ...imported.notes])
    stderr.write(`note: ${note}\n`);
  const kinds = [...imported.kinds].sort(([, a], [, b]) => b - a);
  for (const [kind, rowCount] of kinds)
    stdout.write(
      kind === "unknown"
        ? `${count(rowCount, "row")} of unknown kinds\n`
        : `${count(rowCount, `${kind} row`)}\n`,
    );
  stdout.write(`${count(all.length, "event")}, ${fresh} of them new\n`);
  return ExitCode.Ok;
}

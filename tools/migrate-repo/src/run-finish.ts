import { ExitCode } from "@skein/reporting";
import { findRecord } from "./find-record.js";
import { surveyTarget } from "./survey/target.js";
import { runSync } from "./sync/run-sync.js";
import { runVerify } from "./verify/run-verify.js";
import type { MigrateWorld } from "./world.js";

/**
 * Leaves the source: checks that nothing new is there and nothing is missing here, and says what to do over there. It
 * changes neither repository: archiving is a click that its owner makes.
 */
export async function runFinish(
  world: MigrateWorld,
  name: string,
): Promise<number> {
  const target = await surveyTarget(world.cwd, world.env);
  const { record } = await findRecord(target, name);
  const before = target.refs.get(target.branch ?? "");
  const synced = await runSync(world, record.name, {
    dryRun: true,
    allowSecrets: true,
  });
  if (synced !== ExitCode.Ok) return synced;
  const verified = await runVerify(world, record.name);
  if (verified !== ExitCode.Ok) return verified;
  const home = target.slug ?? "the workspace";
  const where = record.placements.map(({ to }) => to).join(", ");
  const source = record.source.slug;
  world.stdout.write(
    [
      "",
      `To leave ${source ?? record.source.fetchFrom} (all of it can be undone there):`,
      "1. If new commits were named above, bring them: migrate-repo sync " +
        record.name,
      "2. Put this at the top of its README:",
      "",
      `   > **Moved.** This project now lives in ${target.slug === undefined ? home : `https://github.com/${home}/tree/HEAD/${record.placements[0]?.to ?? ""}`} (${where}), with all of its history.`,
      "",
      "3. Move or close its open issues and pull requests.",
      ...(source === undefined
        ? ["4. Make it read-only where it is hosted."]
        : [`4. Archive it: gh repo archive ${source}`]),
      `Checked at ${before?.slice(0, 12) ?? "HEAD"}.`,
      "",
    ].join("\n"),
  );
  return ExitCode.Ok;
}

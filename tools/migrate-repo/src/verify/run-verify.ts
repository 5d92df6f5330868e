import { openWork } from "../work/work.js";
import { findRecord } from "../record/find-record.js";
import { ExitCode, Failure } from "@skein/reporting";
import { explainSourceError } from "../survey/source-failure.js";
import { addressOf } from "../record/address-of.js";
import { SourceError } from "../survey/announcement.js";
import { presentObjects } from "../survey/commits.js";
import { surveyTarget } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";
import { refuse } from "../refusals/refuse.js";
import { fetchOriginals } from "./fetch-originals.js";
import { renderVerification, verifiedEvent } from "./render-verify.js";
import { verify } from "./verify.js";

/**
 * Proves a migration again, from the record and the originals, which it fetches if they weren't kept. Writes nothing.
 * @returns 0, or 1 if there are findings
 * @throws {Failure} if there are no findings, but the originals of the main branch aren't available; the results are
 * printed before
 */
export async function runVerify(
  world: MigrateWorld,
  name: string,
): Promise<number> {
  const { progress } = world;
  progress.phase("look");
  const target = await surveyTarget(world.cwd, world.env);
  const { head } = target;
  if (head === undefined)
    throw new Failure("the workspace has no commit yet", {
      hint: "migrate something first: migrate-repo add --help",
    });
  if (target.shallow) return refuse(world, [{ code: "shallow-target" }]);
  const stored = await findRecord(target, name);
  const { record } = stored;
  const address = addressOf(record.source.fetchFrom);
  await using work = await openWork(world, target, address, true);
  const { git } = work.quarantine;
  progress.phase("fetch");
  const unreachable = await fetchOriginals(
    work.quarantine,
    address,
    stored,
  ).catch((error: unknown) => {
    if (!(error instanceof SourceError)) throw error;
    return explainSourceError(error);
  });
  progress.phase("prove");
  const verification = await verify(work.quarantine, stored, {
    ...target,
    head,
  });
  progress.end();
  world.print(
    renderVerification(record, verification, unreachable?.message),
    verifiedEvent(record, verification),
  );
  if (verification.findings.length > 0) return ExitCode.Bad;
  const main = await presentObjects(git, "commit", [record.tip.old]);
  // If only originals of further branches are missing, the command succeeds.
  if (unreachable && main.length === 0) throw unreachable;
  return ExitCode.Ok;
}

import { openWork } from "../work.js";
import { findRecord } from "../find-record.js";
import { ExitCode, Failure } from "@skein/reporting";
import { explainSourceError } from "../source-failure.js";
import { addressOf } from "../sync/run-sync.js";
import { SourceError } from "../survey/announcement.js";
import { fetchSource } from "../survey/fetch-source.js";
import { surveyTarget } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";
import { renderVerification, verifiedEvent } from "./render-verify.js";
import { verify } from "./verify.js";

/** Proves a migration again, from the record and the originals; fetches those where they were not kept. Writes nothing. */
export async function runVerify(
  world: MigrateWorld,
  name: string,
): Promise<number> {
  const { progress } = world;
  progress.phase("look");
  const target = await surveyTarget(world.cwd, world.env);
  const { head } = target;
  if (head === undefined)
    throw new Failure("The workspace has no commit yet.", {
      hint: "Migrate something first: migrate-repo add --help",
    });
  const stored = await findRecord(target, name);
  const { record } = stored;
  const address = addressOf(record.source.fetchFrom);
  await using work = await openWork(world, target, address, true);
  const { git } = work.quarantine;
  const originals = await git.run(["cat-file", "-e", record.tip.old], {
    answers: [0, 1, 128],
  });
  if (originals.exitCode !== 0) {
    progress.phase("fetch");
    await fetchSource(work.quarantine, {
      address,
      branches: [record.branch],
      tags: [],
    }).catch((error: unknown) => {
      throw error instanceof SourceError ? explainSourceError(error) : error;
    });
  }
  progress.phase("prove");
  const verification = await verify(
    git,
    stored,
    head,
    target.refs,
    work.quarantine.scratch,
  );
  progress.end();
  world.tell(
    renderVerification(record, verification),
    verifiedEvent(record, verification),
  );
  return verification.findings.length === 0 ? ExitCode.Ok : ExitCode.Bad;
}

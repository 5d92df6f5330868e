import { commitTree, openObjects } from "@skein/git";
import { ExitCode } from "@skein/reporting";
import { findRecord } from "../record/find-record.js";
import { fieldsIn, type Fields } from "@skein/reporting/json-fields";
import { isPackageName } from "../names/names.js";
import type { StoredRecord } from "../record/record.js";
import type { MigrationRecord } from "../record/record-format.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import { announce } from "../survey/announcement.js";
import { countBehind, isBehind } from "../sync/behind.js";
import { addressOf } from "../record/address-of.js";
import { runSync } from "../sync/run-sync.js";
import { whatIsNew } from "../sync/what-is-new.js";
import { explainSource } from "../survey/source-failure.js";
import { openWork } from "../work/work.js";
import { runVerify } from "../verify/run-verify.js";
import type { MigrateWorld } from "../world.js";
import {
  leaveEvent,
  renderFinish,
  type LeavingPackage,
} from "./render-finish.js";

/**
 * Runs `migrate-repo finish`: checks that the source has no new commits and the workspace is complete, and lists the
 * work that remains in the source. It changes neither repository: archiving is up to the source's owner.
 * @returns 1 if a sync is due, or something is missing
 */
export async function runFinish(
  world: MigrateWorld,
  name: string,
): Promise<number> {
  const target = await surveyTarget(world.cwd, world.env);
  const stored = await findRecord(target, name);
  const { record } = stored;
  const synced = await runSync(world, record.name, {
    dryRun: true,
    allowSecrets: true,
    allowLfs: true,
    // verify reports the differences; sync must not report them too.
    compare: false,
  });
  if (synced !== ExitCode.Ok) return synced;
  if (!(await isSynced(world, target, stored))) {
    world.stderr.write(
      `migrate-repo: the source has new commits since the last sync\nhint: merge them first: migrate-repo sync ${record.name}\n`,
    );
    return ExitCode.Bad;
  }
  const verified = await runVerify(world, record.name);
  if (verified !== ExitCode.Ok) return verified;
  const leaving = {
    source: record.source.slug ?? record.source.fetchFrom,
    sourceSlug: record.source.slug,
    targetSlug: target.slug,
    packages: await packagesOf(target, record),
    checkedAt: target.head ?? "",
  };
  world.print(renderFinish(leaving), leaveEvent(leaving));
  return ExitCode.Ok;
}

/** Asks the source, and returns whether a sync would change nothing. */
async function isSynced(
  world: MigrateWorld,
  target: TargetFacts,
  stored: StoredRecord,
): Promise<boolean> {
  const address = addressOf(stored.record.source.fetchFrom);
  const open = () => openWork(world, target, address, true);
  await using work = await open();
  try {
    const announcement = await announce(work.quarantine.git, address);
    const news = await whatIsNew(stored, announcement, target);
    return !isBehind(await countBehind(news, stored, address, open));
  } catch (error) {
    throw explainSource(error);
  }
}

/** Returns the packages in the workspace, with their names in the source. */
async function packagesOf(
  { git, head = "", slug }: TargetFacts,
  { placements, tip }: MigrationRecord,
): Promise<readonly LeavingPackage[]> {
  using objects = openObjects(git);
  const [here, home] = [head, tip.new].map((commit) =>
    commitTree(git, objects, commit),
  );
  const packages: LeavingPackage[] = [];
  for (const { to: dir } of placements) {
    const manifest = fieldsIn(await here?.read(`${dir}/package.json`));
    const before = fieldsIn(await home?.read(`${dir}/package.json`));
    const name = nameIn(manifest);
    if (name === undefined) continue;
    packages.push({
      dir,
      name,
      homeName: nameIn(before),
      isPrivate: manifest["private"] === true,
      namesWorkspace:
        slug !== undefined &&
        JSON.stringify(manifest["repository"] ?? "").includes(slug),
    });
  }
  return packages;
}

/** Returns a manifest's name if it is valid, because commands to copy must not hold anything else. */
function nameIn({ name }: Fields): string | undefined {
  return typeof name === "string" && isPackageName(name) ? name : undefined;
}

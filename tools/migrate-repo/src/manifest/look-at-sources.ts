import { isDeepStrictEqual } from "node:util";
import { commitTree, openObjects } from "@skein/git";
import { printable } from "@skein/reporting";
import pLimit from "p-limit";
import type { MigrationRequest, SourceAddress } from "../migration.js";
import { fieldsIn, recordOf } from "@skein/reporting/json-fields";
import { mainFolder, placementsOf } from "../names/names.js";
import { explainRefusal } from "../refusals/index.js";
import { openQuarantine } from "../quarantine/quarantine.js";
import { readRecords } from "../record/record.js";
import type { MigrationRecord } from "../record/record-format.js";
import { explainSourceError } from "../survey/source-failure.js";
import {
  announce,
  SourceError,
  type Announcement,
} from "../survey/announcement.js";
import { fetchSource } from "../survey/fetch-source.js";
import { findAddress } from "../survey/find-address.js";
import { findName } from "../survey/find-name.js";
import {
  findInnerPackages,
  isAuto,
  withPackages,
} from "../survey/inner-packages.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";

/** The facts about a source before its turn: enough to order it and to find out whether it has new commits. */
export interface SourceLook {
  readonly request: MigrationRequest;
  readonly name: string;
  readonly dependencies: readonly string[];
  /** The source's announcement; undefined if the source could not be reached. */
  readonly announcement: Announcement | undefined;
  /** Undefined if the request's source isn't a valid address. */
  readonly address: SourceAddress | undefined;
  /** Why the source can't be read, in words. */
  readonly problem: string | undefined;
}

/**
 * Looks at all sources, several at once. For a source with a record, it lists the refs. For any other source, it also
 * fetches the tip, without history, to read its package.json. Writes nothing to the target.
 */
export async function lookAtSources(
  world: MigrateWorld,
  requests: readonly MigrationRequest[],
  concurrency: number,
): Promise<readonly SourceLook[]> {
  const target = await surveyTarget(world.cwd, world.env);
  const records = await readRecords(target.git, target.refs);
  const limit = pLimit(concurrency);
  return Promise.all(
    requests.map((request) =>
      limit(() => lookAt(world, target, request, records)),
    ),
  );
}

async function lookAt(
  world: MigrateWorld,
  target: TargetFacts,
  request: MigrationRequest,
  records: readonly MigrationRecord[],
): Promise<SourceLook> {
  const address = await findAddress(request.source, world.cwd);
  const nothing = {
    request,
    name: request.source,
    dependencies: [],
    announcement: undefined,
    address: "code" in address ? undefined : address,
  };
  if ("code" in address)
    return { ...nothing, problem: explainRefusal(address).sentence };
  const { env } = world;
  await using quarantine = await openQuarantine({ target, env, address });
  try {
    const announcement = await announce(quarantine.git, address);
    const record = records.find((one) => isOf(one, request, address));
    if (record)
      return {
        ...nothing,
        name: record.name,
        announcement,
        problem: undefined,
      };
    const branch = request.ref ?? announcement.defaultBranch;
    const tip = announcement.branches.find(({ name }) => name === branch)?.id;
    if (branch === undefined || tip === undefined)
      // The migration itself reports the problem in more detail.
      return { ...nothing, problem: undefined };
    await fetchSource(quarantine, {
      address,
      branches: [branch],
      tags: [],
      depth: 1,
    });
    const chosen = isAuto(request)
      ? withPackages(request, await findInnerPackages(quarantine.git, tip))
      : request;
    const name =
      request.name ?? (await findName(quarantine.git, tip, chosen, address));
    using objects = openObjects(quarantine.git);
    const main = mainFolder(chosen.only);
    const text = await commitTree(quarantine.git, objects, tip).read(
      main === "" ? "package.json" : `${main}/package.json`,
    );
    return {
      ...nothing,
      name,
      announcement,
      dependencies: dependenciesOf(text),
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return {
      ...nothing,
      problem: printable(explainSourceError(error).message),
    };
  }
}

/** Returns whether a record belongs to this request: the same folders of the same source, with the requested name. */
function isOf(
  { name, source, placements }: MigrationRecord,
  request: MigrationRequest,
  address: SourceAddress,
): boolean {
  return (
    source.fetchFrom === address.fetchFrom &&
    (request.name ?? name) === name &&
    (isAuto(request)
      ? placements.every(({ from }) => from !== "")
      : isDeepStrictEqual(
          placements.map(({ from }) => from),
          placementsOf(request.only, request.to, name).map(({ from }) => from),
        ))
  );
}

function dependenciesOf(manifest: Buffer | undefined): readonly string[] {
  const fields = fieldsIn(manifest);
  return ["dependencies", "devDependencies", "peerDependencies"].flatMap(
    (field) => Object.keys(recordOf(fields[field])),
  );
}

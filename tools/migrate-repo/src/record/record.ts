import { findCommit, openObjects, type Git } from "@skein/git";
import { CommitMap } from "../history/commit-map.js";
import { makeCommit, type Committer } from "../history/make-commit.js";
import { migrationRefs } from "../names/names.js";
import { objectId } from "../objects/object-id.js";
import { storeObjects } from "../objects/store-objects.js";
import { FOLDER, formatTree } from "../objects/tree-object.js";
import type { Proof } from "../receipt/proof.js";
import { decideTagNames, type TagNames } from "../names/tag-names.js";
import {
  parseProof,
  parseRecord,
  type MigrationRecord,
} from "./record-format.js";

export interface StoredRecord {
  readonly record: MigrationRecord;
  readonly map: CommitMap;
  /** Undefined in older records. */
  readonly proof: Proof | undefined;
  /** The commit that the ref points at. */
  readonly commit: string;
}

/** Writes a record into the quarantine. @returns its commit */
export async function writeRecord(
  git: Git,
  by: Committer,
  { record, map, proof }: Omit<StoredRecord, "commit">,
  previous: string | undefined,
): Promise<string> {
  const json = (value: object) =>
    Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  const files = {
    map: map.print(),
    "migration.json": json(record),
    ...(proof && { "proof.json": json(proof) }),
  };
  const objectFormat = record.tip.old.length === 40 ? "sha1" : "sha256";
  const { landed, lockBefore } = proof?.kept ?? {};
  const tree = formatTree([
    ...Object.entries(files).map(
      ([name, content]) =>
        [
          name,
          { mode: "100644", id: objectId(objectFormat, "blob", content) },
        ] as const,
    ),
    // A tree refers to them, so git keeps them as long as the record.
    ...(landed === undefined
      ? []
      : [["landed", { mode: FOLDER, id: landed }] as const]),
    ...(lockBefore === undefined
      ? []
      : [["yarn.lock.before", { mode: "100644", id: lockBefore }] as const]),
  ]);
  await storeObjects(git, objectFormat, [
    ...Object.values(files).map(
      (content) => ({ type: "blob", content }) as const,
    ),
    { type: "tree", content: tree },
  ]);
  return makeCommit(git, by, {
    tree: objectId(objectFormat, "tree", tree),
    parents: previous === undefined ? [] : [previous],
    message: `Record the migration of ${record.name} at ${record.tip.old}\n`,
  });
}

/** Reads the record of a migration. @returns undefined if there is none of that name */
export async function readRecord(
  git: Git,
  name: string,
): Promise<StoredRecord | undefined> {
  const commit = await findCommit(git, `${migrationRefs(name)}/map`);
  if (commit === undefined) return undefined;
  using objects = openObjects(git);
  const [json, map, proof] = await Promise.all([
    objects.read(`${commit}:migration.json`),
    objects.read(`${commit}:map`),
    objects.read(`${commit}:proof.json`),
  ]);
  if (!json || !map) return undefined;
  return {
    record: parseRecord(json.content),
    map: CommitMap.parse(map.content),
    proof: proof && parseProof(proof.content),
    commit,
  };
}

/** Returns all records, without their maps. */
export async function readRecords(
  git: Git,
  refs: ReadonlyMap<string, string>,
): Promise<readonly MigrationRecord[]> {
  using objects = openObjects(git);
  const texts = await Promise.all(
    recordedMigrations(refs).map((name) =>
      objects.read(`${migrationRefs(name)}/map:migration.json`),
    ),
  );
  return texts.flatMap((text) => (text ? [parseRecord(text.content)] : []));
}

/** Returns the names of all recorded migrations, from the target's refs. */
export function recordedMigrations(
  refs: ReadonlyMap<string, string>,
): readonly string[] {
  return [...refs.keys()].flatMap((ref) => {
    const name = /^refs\/migrate\/(.+)\/map$/.exec(ref)?.[1];
    return name === undefined ? [] : [decodeURIComponent(name)];
  });
}

/** Returns the names of tags for a later sync. They follow the same rules as in the migration. */
export function tagNamesOf(
  { name, names, tagFormat, placements, madeTags }: MigrationRecord,
  tags: readonly string[],
): TagNames {
  const short = madeTags.map(({ from }) => from.replace("refs/tags/", ""));
  return decideTagNames(
    [...new Set([...short, ...tags])],
    tagFormat,
    names ?? [name],
    placements.some(({ from }) => from !== ""),
  );
}

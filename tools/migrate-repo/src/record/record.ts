import { findCommit, openObjects, type Git } from "@skein/git";
import type {
  HistoryFigures,
  MigrationRequest,
  NamedRef,
  Placement,
} from "../migration.js";
import { CommitMap } from "../history/commit-map.js";
import { makeCommit, type Committer } from "../history/make-commit.js";
import { migrationRefs } from "../names/names.js";
import { objectId } from "../objects/object-id.js";
import { storeObjects } from "../objects/store-objects.js";
import { FOLDER, formatTree } from "../objects/tree-object.js";
import type { Proof } from "../receipt/proof.js";
import { decideTagNames, type TagNames } from "../names/tag-names.js";

/** Returns the fields of a request, or of a record, that every record repeats. */
export function recordedFields(from: Recorded): Recorded {
  return Object.fromEntries(
    RECORDED.map((field) => [field, from[field]]),
  ) as Recorded;
}

type Recorded = Pick<MigrationRequest, (typeof RECORDED)[number]>;

/** The fields of a request that every record repeats. */
export const RECORDED = [
  "history",
  "branches",
  "tags",
  "tagFormat",
  "qualifyRefs",
  "trailer",
  "keepOriginals",
] as const;

/**
 * The target's record of a migration. With it, everyone can sync the migration and prove it again. It is the ref
 * `refs/migrate/<name>/map`: a commit with the files `migration.json` (this), `map` (old and new ids), `proof.json`,
 * and the inputs of that proof. Every sync adds a commit to it.
 */
export interface MigrationRecord extends Recorded {
  readonly version: 1;
  readonly name: string;
  /** The names of all migrated packages; absent in older records. */
  readonly names?: readonly string[];
  /** The names of packages inside of those, if the source was itself a workspace; absent if there are none. */
  readonly nested?: readonly string[];
  readonly source: {
    readonly fetchFrom: string;
    readonly slug: string | undefined;
  };
  readonly branch: string;
  readonly placements: readonly Placement[];
  /**
   * Steps that were turned off, and the policy: a sync handles new content as the migration did. In older records they
   * are absent, which means no skipped steps and `conform`.
   */
  readonly skip?: readonly string[];
  readonly versions?: MigrationRequest["versions"];
  /** The last source commit that was merged, and its new commit. */
  readonly tip: { readonly old: string; readonly new: string };
  /** All tips of the source whose histories are in the map. */
  readonly tips: readonly string[];
  readonly madeTags: readonly NamedRef[];
  readonly madeBranches: readonly NamedRef[];
  /** Paths that the clean-up removed; a sync doesn't restore them. */
  readonly removed: readonly string[];
  readonly receipt: Receipt;
  /** The branch of the landing, and its commit before and after; absent in older records. */
  readonly landed?: {
    readonly branch: string;
    readonly before: string;
    readonly after: string;
  };
  /** The pull requests that were carried; absent until they are requested. */
  readonly pulls?: {
    /** `owner/name` on GitHub. */
    readonly repository: string;
    readonly carried: readonly CarriedPull[];
  };
}

/** The record of a transplanted pull request. */
export interface CarriedPull {
  readonly number: number;
  readonly old: string;
  readonly ref: string;
  readonly id: string;
}

/** The figures of the proof at the time of the migration. */
export interface Receipt {
  readonly figures: HistoryFigures;
  /** The number of commits whose files were all compared with their originals. */
  readonly treesCompared: number;
  readonly files: number;
}

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
    record: JSON.parse(json.content.toString("utf8")) as MigrationRecord,
    map: CommitMap.parse(map.content),
    proof: proof && (JSON.parse(proof.content.toString("utf8")) as Proof),
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
  return texts.flatMap((text) =>
    text ? [JSON.parse(text.content.toString("utf8")) as MigrationRecord] : [],
  );
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

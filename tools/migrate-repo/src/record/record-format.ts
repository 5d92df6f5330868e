import { Failure, printable } from "@skein/reporting";
import * as json from "@skein/reporting/json";
import type { HistoryFigures, MigrationRequest } from "../migration.js";
import type { Proof } from "../receipt/proof.js";

/** A path of the workspace or the source, with `/` between its parts. */
const path = json.checked(json.text, (it) =>
  /^\/|(?:^|\/)\.\.?(?:\/|$)/.test(it)
    ? `${printable(it)} isn't a path of a repository`
    : undefined,
);

/** A full commit id, or that of another object. */
const id = json.matching(
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
  "an id has another form",
);

const namedRef = json.object({ from: json.text, to: json.text, id });

/** The fields of a request that every record repeats. */
const recorded = {
  history: json.oneOf(["graft", "move", "squash"]),
  branches: json.list(json.text),
  tags: json.oneOf(["reachable", "all", "none"]),
  tagFormat: json.text,
  qualifyRefs: json.optional(json.text),
  trailer: json.boolean,
  keepOriginals: json.boolean,
} satisfies Partial<Record<keyof MigrationRequest, json.Reader<unknown>>>;

type Recorded = Pick<MigrationRequest, keyof typeof recorded>;

export const RECORDED = Object.keys(recorded) as readonly (keyof Recorded)[];

/** Returns the fields of a request, or of a record, that every record repeats. */
export function recordedFields(
  from: Omit<Recorded, "qualifyRefs"> & Partial<Recorded>,
): Recorded {
  return Object.fromEntries(
    RECORDED.map((field) => [field, from[field]]),
  ) as Recorded;
}

const carriedPull = json.object({
  number: json.whole,
  old: id,
  ref: json.text,
  id,
});

/** The record of a transplanted pull request. */
export type CarriedPull = json.TypeOf<typeof carriedPull>;

const figures = {
  commits: json.whole,
  merges: json.whole,
  authors: json.whole,
  signatures: json.whole,
  pruned: json.whole,
  mended: json.whole,
  qualified: json.whole,
} satisfies Record<keyof HistoryFigures, json.Reader<number>>;

/** The figures of the proof at the time of the migration. */
const receipt = json.object({
  figures: json.object(figures),
  /** The number of commits whose files were all compared with their originals. */
  treesCompared: json.whole,
  files: json.whole,
});

export type Receipt = json.TypeOf<typeof receipt>;

const migrationRecord = json.object({
  version: json.version(1),
  ...recorded,
  name: json.text,
  /** The names of all migrated packages; absent in older records. */
  names: json.optional(json.list(json.text)),
  /** The names of packages inside of those, if the source was itself a workspace; absent if there are none. */
  nested: json.optional(json.list(json.text)),
  source: json.object({
    fetchFrom: json.text,
    slug: json.optional(json.text),
  }),
  branch: json.text,
  placements: json.list(json.object({ from: path, to: path })),
  /**
   * Steps that were turned off, and the policy: a sync handles new content as the migration did. In older records they
   * are absent, which means no skipped steps and `conform`.
   */
  skip: json.optional(json.list(json.text)),
  versions: json.optional(json.oneOf(["conform", "keep", "highest"])),
  /** The last source commit that was merged, and its new commit. */
  tip: json.object({ old: id, new: id }),
  /** All tips of the source whose histories are in the map. */
  tips: json.list(id),
  madeTags: json.list(namedRef),
  madeBranches: json.list(namedRef),
  /** Paths that the clean-up removed; a sync doesn't restore them. */
  removed: json.list(json.text),
  receipt,
  /** The branch of the landing, and its commit before and after; absent in older records. */
  landed: json.optional(
    json.object({ branch: json.text, before: id, after: id }),
  ),
  /** The pull requests that were carried; absent until they are requested. */
  pulls: json.optional(
    json.object({
      /** `owner/name` on GitHub. */
      repository: json.text,
      carried: json.list(carriedPull),
    }),
  ),
});

/**
 * The target's record of a migration. With it, everyone can sync the migration and prove it again. It is the ref
 * `refs/migrate/<name>/map`: a commit with the files `migration.json` (this), `map` (old and new ids), `proof.json`,
 * and the inputs of that proof. Every sync adds a commit to it.
 */
export type MigrationRecord = json.TypeOf<typeof migrationRecord>;

const proof: json.Reader<Proof> = json.object({
  version: json.version(1),
  source: id,
  base: id,
  landed: id,
  packed: json.byName(
    json.object({ home: json.list(json.text), here: json.list(json.text) }),
  ),
  resolutions: json.byName(json.text),
  kept: json.optional(
    json.object({ landed: id, lockBefore: json.optional(id) }),
  ),
});

/**
 * Parses `migration.json`. Others can change it: a record is fetched with `refs/migrate`.
 * @throws {Failure} if it has another form
 */
export function parseRecord(text: Buffer): MigrationRecord {
  return parseChecked(text, migrationRecord, "migration.json");
}

/** Parses `proof.json`. @throws {Failure} if it has another form */
export function parseProof(text: Buffer): Proof {
  return parseChecked(text, proof, "proof.json");
}

/** Preserves members that this version doesn't recognise, because a sync writes the record again. */
function parseChecked<T extends object>(
  text: Buffer,
  read: json.Reader<T>,
  name: string,
): T {
  const whole: json.Reader<T> = (value, place) => ({
    ...(value as T),
    ...read(value, place),
  });
  try {
    return json.parse(text.toString("utf8"), whole, name);
  } catch (error) {
    if (!(error instanceof json.Malformed)) throw error;
    throw new Failure(
      `the record of a migration can't be read: ${error.message}`,
      {
        hint: "a newer migrate-repo made it, or someone changed refs/migrate; fetch it again from where it was made",
      },
    );
  }
}

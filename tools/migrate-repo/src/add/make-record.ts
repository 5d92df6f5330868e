import type { RefUpdate } from "@skein/git";
import type { Rewritten } from "../history/rewrite-history.js";
import { migrationRefs } from "../names/names.js";
import type { Plan } from "../plan/plan.js";
import {
  recordedFields,
  type MigrationRecord,
  type Receipt,
} from "../record/record-format.js";

/** The parts of a build that the record needs. */
export interface BuiltForRecord {
  readonly rewritten: Pick<Rewritten, "brought" | "tags" | "newCommit">;
  /** The branch's new commit. */
  readonly newHead: string;
  /** Paths that the clean-up removed. */
  readonly removed: readonly string[];
  readonly receipt: Pick<Receipt, "treesCompared" | "files">;
}

/** Returns the record of a new migration. */
export function makeRecord(
  plan: Plan,
  { rewritten, newHead, removed, receipt }: BuiltForRecord,
): MigrationRecord {
  const { request, name, placements } = plan;
  const { brought, tags, newCommit } = rewritten;
  return {
    version: 1,
    name,
    names: plan.names,
    ...(plan.nested.length > 0 && { nested: plan.nested }),
    source: { fetchFrom: plan.source.fetchFrom, slug: plan.source.slug },
    branch: plan.branch,
    placements,
    ...recordedFields(request),
    skip: request.skip,
    versions: request.versions,
    tip: { old: plan.tip, new: brought.tip },
    tips: [
      ...new Set([
        plan.tip,
        ...plan.branches.map(({ id }) => id),
        ...plan.tags.map(({ commit }) => commit),
      ]),
    ],
    madeTags: tags.made.map(({ plan: { from, to }, id }) => ({ from, to, id })),
    madeBranches: plan.branches.flatMap(({ from, to, id: old }) => {
      const id = newCommit(old);
      return id === undefined ? [] : [{ from, to, id }];
    }),
    removed,
    receipt: { figures: brought.figures, ...receipt },
    landed: {
      branch: plan.target.branch,
      before: plan.target.head,
      after: newHead,
    },
  };
}

/**
 * Returns every ref that the migration sets: the branch, tags and branches of the source, the record, and the source's
 * own commits.
 * @param recordCommit the commit that holds the record
 */
export function refsOf(
  plan: Plan,
  { landed, madeTags, madeBranches }: MigrationRecord,
  recordCommit: string,
): readonly RefUpdate[] {
  const fresh = (ref: string, id: string) => ({ ref, old: undefined, new: id });
  const { branch, head } = plan.target;
  return [
    { ref: branch, old: head, new: landed?.after ?? head },
    ...[...madeTags, ...madeBranches].map(({ to, id }) => fresh(to, id)),
    fresh(`${migrationRefs(plan.name)}/map`, recordCommit),
    ...originals(plan).map(({ ref, id }) => fresh(ref, id)),
  ];
}

/**
 * Returns refs for the source's own branches and tags, so that nothing is lost, and so that a sync fetches only new
 * commits.
 */
function originals(
  plan: Plan,
): readonly { readonly ref: string; readonly id: string }[] {
  if (!plan.request.keepOriginals) return [];
  const base = migrationRefs(plan.name);
  return [
    { from: `refs/heads/${plan.branch}`, id: plan.tip },
    ...plan.branches,
    ...plan.tags,
  ].map(({ from, id }) => ({ ref: from.replace(/^refs\//, `${base}/`), id }));
}

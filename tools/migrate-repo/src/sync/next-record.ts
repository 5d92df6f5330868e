import type { RefUpdate } from "@skein/git";
import { migrationRefs } from "../names/names.js";
import type { StoredRecord } from "../record/record.js";
import type { MigrationRecord } from "../record/record-format.js";
import { madeBranches } from "./branches.js";
import type { FetchedNews } from "./fetch-news.js";
import type { GraftedNews } from "./graft-news.js";

/** Returns the record after a sync. */
export function nextRecord(
  record: MigrationRecord,
  { tip, moreTips, branches }: FetchedNews,
  grafted: GraftedNews,
): MigrationRecord {
  const { newCommit, figures, compared } = grafted;
  const tipOf = new Map(
    branches.coming.map(({ name }, index) => [name, moreTips[index] ?? ""]),
  );
  return {
    ...record,
    tip: { old: tip, new: grafted.newTip },
    tips: [...new Set([...grafted.living, tip, ...moreTips])],
    madeBranches: madeBranches(record, branches.coming, (name) =>
      newCommit(tipOf.get(name) ?? ""),
    ),
    madeTags: [
      ...record.madeTags,
      ...grafted.tags.map(({ plan: { from, to }, id }) => ({ from, to, id })),
    ],
    receipt: {
      ...record.receipt,
      figures,
      treesCompared: record.receipt.treesCompared + compared,
    },
  };
}

/**
 * Returns every ref that a sync updates, except the target's branch: the record, new tags, further branches, and the
 * source's own commits.
 * @param recordCommit the commit that holds the new record
 * @param refs the target's refs
 */
export function syncRefs(
  { record, commit }: StoredRecord,
  { tip, upToDate, branches, moreTips }: FetchedNews,
  { newCommit, tags }: GraftedNews,
  recordCommit: string,
  refs: ReadonlyMap<string, string>,
): readonly RefUpdate[] {
  const base = migrationRefs(record.name);
  const coming = branches.coming.map((branch, index) => ({
    ...branch,
    tip: moreTips[index] ?? "",
  }));
  const originals = [
    ...(upToDate ? [] : [{ name: record.branch, tip }]),
    ...coming,
  ];
  return [
    { ref: `${base}/map`, old: commit, new: recordCommit },
    ...tags.map(({ plan, id }) => ({ ref: plan.to, old: undefined, new: id })),
    ...coming.flatMap(({ to, before, tip: old }) => {
      const id = newCommit(old);
      return id === undefined ? [] : [{ ref: to, old: before, new: id }];
    }),
    ...(record.keepOriginals ? originals : []).map(({ name, tip: id }) => {
      const ref = `${base}/heads/${name}`;
      return { ref, old: refs.get(ref), new: id };
    }),
  ];
}

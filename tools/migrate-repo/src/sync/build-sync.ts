import type { RefUpdate } from "@skein/git";
import { figuresNow, newCommits } from "./figures.js";
import { Failure } from "@skein/reporting";
import { bringHistory } from "../history/bring-history.js";
import { commitMap } from "../history/commit-map.js";
import { knownHistory } from "./known-history.js";
import { makeCommit } from "../history/make-commit.js";
import { proveTrees } from "../history/prove-trees.js";
import { makeTags } from "../history/tags.js";
import type { LfsObjects } from "../lfs/lfs.js";
import type {
  SourceAddress,
  SourceRef,
  StepPlan,
  TagPlan,
} from "../migration.js";
import { migrationRefs } from "../names/names.js";
import { writePack } from "../objects/pack-writer.js";
import type { Refusal } from "../refusals/index.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import {
  writeRecord,
  type MigrationRecord,
  type StoredRecord,
} from "../record/record.js";
import { refRefusals } from "../refusals/refs.js";
import { findInTags } from "../secrets/find-in-message.js";
import { fetchSource } from "../survey/fetch-source.js";
import { countCommits, isAncestor, presentObjects } from "../survey/commits.js";
import { surveyNews } from "../survey/history.js";
import type { TargetFacts } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";
import { madeBranches, withoutRewritten, type BranchNews } from "./branches.js";
import { bringLfs } from "./bring-lfs.js";
import { followUps } from "./follow-ups.js";
import { mergeTrees, withoutSettled } from "../work/merge.js";
import { checkRelated } from "./move-source.js";
import { planNewTags } from "./new-tags.js";

export interface SyncRequest {
  readonly world: MigrateWorld;
  readonly target: TargetFacts;
  readonly quarantine: Quarantine;
  readonly stored: StoredRecord;
  /** Whether the record names a branch or an address that it did not name before. */
  readonly isMoved: boolean;
  readonly address: SourceAddress;
  /** Tags the record does not know. */
  readonly newTags: readonly SourceRef[];
  /** Branches beside the main one. */
  readonly branches: BranchNews;
  readonly allowSecrets: boolean;
  /** Bring pointers of Git LFS without their objects. */
  readonly allowLfs: boolean;
  /** Whether git-lfs may fetch; a dry run does not. */
  readonly fetchLfs: boolean;
}

/** A sync that is ready in the quarantine. */
export type BuiltSync =
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] }
  | {
      readonly kind: "built";
      readonly commits: number;
      readonly tags: number;
      readonly branches: BranchNews;
      /** The source's branch no longer holds the commit that was merged last. */
      readonly rewritten: boolean;
      /** The grafted commit that is merged. */
      readonly newTip: string;
      /** The merge; the branch as it is where there is nothing to merge, or where there are conflicts. */
      readonly newHead: string;
      /** Everything but the branch. */
      readonly refs: readonly RefUpdate[];
      readonly conflicts: readonly string[];
      /** What git-lfs fetched. */
      readonly lfs: LfsObjects;
      /** Paths that stay away, whatever the source did to them. */
      readonly settled: readonly string[];
      /** What the merge leaves to people. */
      readonly followUps: readonly StepPlan[];
      readonly message: string;
      /** The record as it will be. */
      readonly stored: StoredRecord;
    };

/** Fetches, grafts, proves and merges in the quarantine. */
export async function buildSync(request: SyncRequest): Promise<BuiltSync> {
  const { world, target, quarantine, stored, address } = request;
  const { record, map } = stored;
  const { git, scratch } = quarantine;
  const { progress } = world;
  const { identity, head } = target;
  if (!identity || head === undefined)
    throw new Error("refuseTarget lets no such target through");
  progress.phase("fetch");
  const fetched = await fetchSource(quarantine, {
    address,
    branches: [
      record.branch,
      ...request.branches.coming.map(({ name }) => name),
    ],
    tags: [],
  });
  const oldTip = fetched?.get(record.branch);
  if (!fetched || oldTip === undefined)
    return { kind: "refused", refusals: [{ code: "shallow-source" }] };
  progress.phase("read");
  if (request.isMoved)
    await checkRelated(git, map, oldTip, `${address.shown} ${record.branch}`);
  const present = await presentObjects(git, "commit", record.tips);
  const branches = await withoutRewritten(
    git,
    stored,
    request.branches,
    fetched,
  );
  const moreTips = branches.coming.map(({ name }) => fetched.get(name) ?? "");
  const tips = [oldTip, ...moreTips];
  const history = await surveyNews(quarantine, tips, present, Infinity);
  if (history.secrets.length > 0 && !request.allowSecrets)
    return {
      kind: "refused",
      refusals: [{ code: "secrets", found: history.secrets }],
    };
  const lfs = await bringLfs(request, oldTip, history.lfs);
  if (lfs.kind === "refused") return lfs;
  const committer = { ...identity, now: world.now() };
  const { known, exclude, living } = await knownHistory(git, stored, present);
  progress.phase("rewrite", await countCommits(git, tips, exclude));
  const sourceName = record.source.slug ?? record.name;
  const upToDate = oldTip === record.tip.old;
  const grafted = await writePack(quarantine, async (pack) => {
    const isKnown =
      upToDate && (moreTips.length === 0 || record.history !== "graft");
    const brought = isKnown
      ? { tip: record.tip.new, commits: commitMap([]) }
      : await bringHistory({
          git,
          pack,
          scratch,
          mode: record.history,
          placements: record.placements,
          tip: oldTip,
          moreTips,
          known,
          exclude,
          previous: record.tip.new,
          qualifyRefs: record.qualifyRefs,
          trailer: record.trailer ? sourceName : undefined,
          sourceName,
          committer,
          onProgress: (commits) => progress.advance(commits),
        });
    // Without originals the old ones were rewritten again, to the same ids: the map keeps one of each.
    const commits = commitMap(map);
    for (const { old, new: id } of brought.commits) commits.add(old, id);
    const newCommit = (old: string) =>
      record.history === "move" ? old : commits.get(old);
    const tags = await planNewTags(
      request,
      (old) => newCommit(old) !== undefined,
    );
    const clashes = [
      ...refRefusals(tags, target.refs),
      ...(await refuseTagSecrets(request, tags)),
    ];
    return {
      brought,
      commits,
      newCommit,
      clashes,
      made:
        clashes.length > 0
          ? undefined
          : await makeTags(git, pack, tags, newCommit),
    };
  });
  const { brought, commits, clashes, made, newCommit } = grafted;
  if (!made) return { kind: "refused", refusals: clashes };
  const figures = await figuresNow(git, record, commits, oldTip);
  const compared = newCommits(commits).length - newCommits(map).length;
  const fresh =
    record.history === "move"
      ? figures.commits - record.receipt.figures.commits
      : compared;
  progress.phase("prove");
  const { differences } = await proveTrees(
    git,
    brought.commits,
    record.placements,
  );
  if (differences[0])
    throw new Failure(
      `commit ${differences[0].old} is not the same below ${differences[0].path}: nothing was merged`,
      { hint: "this is a bug in migrate-repo; please report it" },
    );
  progress.phase("merge");
  const message = `Sync ${record.placements.map(({ to }) => to).join(", ")} with ${sourceName}\n\nMigrated-Package: ${record.name}\nMigrated-From: ${sourceName}@${oldTip}\nMigrated-To: ${brought.tip}\n`;
  const merged = upToDate
    ? undefined
    : await mergeTrees(git, head, brought.tip);
  const conflicts = (merged?.conflicts ?? []).filter(
    (path) => !record.removed.includes(path),
  );
  let newHead = head;
  let left: readonly StepPlan[] = [];
  if (merged) {
    const tree = await withoutSettled(quarantine, merged, record.removed);
    left = await followUps(quarantine, target, record, [head, tree], oldTip);
    if (conflicts.length === 0)
      newHead = await makeCommit(git, committer, {
        tree,
        parents: [head, brought.tip],
        message,
      });
  }
  const next: MigrationRecord = {
    ...record,
    tip: { old: oldTip, new: brought.tip },
    tips: [...new Set([...living, ...tips])],
    madeBranches: madeBranches(record, branches.coming, (name) =>
      newCommit(fetched.get(name) ?? ""),
    ),
    madeTags: [
      ...record.madeTags,
      ...made.made.map(({ plan: { from, to }, id }) => ({ from, to, id })),
    ],
    receipt: {
      ...record.receipt,
      figures,
      treesCompared: record.receipt.treesCompared + compared,
    },
  };
  const written = { record: next, map: commits, proof: stored.proof };
  const recordCommit = await writeRecord(
    git,
    committer,
    written,
    stored.commit,
  );
  const base = migrationRefs(record.name);
  const originals = [
    ...(upToDate ? [] : [{ name: record.branch, id: oldTip }]),
    ...branches.coming.map(({ name }, index) => ({
      name,
      id: moreTips[index] ?? "",
    })),
  ];
  return {
    kind: "built",
    commits: fresh,
    tags: made.made.length,
    branches,
    rewritten: !upToDate && !(await isAncestor(git, record.tip.old, oldTip)),
    newTip: brought.tip,
    newHead,
    refs: [
      { ref: `${base}/map`, old: stored.commit, new: recordCommit },
      ...made.made.map(({ plan, id }) => ({
        ref: plan.to,
        old: undefined,
        new: id,
      })),
      ...branches.coming.flatMap(({ name, to, before }) => {
        const id = newCommit(fetched.get(name) ?? "");
        return id === undefined ? [] : [{ ref: to, old: before, new: id }];
      }),
      ...(record.keepOriginals ? originals : []).map(({ name, id }) => {
        const ref = `${base}/heads/${name}`;
        return { ref, old: target.refs.get(ref), new: id };
      }),
    ],
    conflicts,
    lfs: lfs.objects,
    settled: record.removed,
    followUps: left,
    message,
    stored: { ...written, commit: recordCommit },
  };
}

async function refuseTagSecrets(
  { quarantine, allowSecrets }: SyncRequest,
  tags: readonly TagPlan[],
): Promise<readonly Refusal[]> {
  const found = allowSecrets
    ? []
    : await findInTags(
        quarantine.git,
        tags.map(({ from, id }) => ({ name: from, id })),
      );
  return found.length > 0 ? [{ code: "secrets", found }] : [];
}

import { graft } from "../history/graft.js";
import { knownHistory } from "../sync/known-history.js";
import { writePack } from "../objects/pack-writer.js";
import type { Refusal } from "../refusals/index.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { StoredRecord } from "../record/record.js";
import { refRefusals } from "../refusals/refs.js";
import type { SourceAddress } from "../migration.js";
import { isAncestor, presentObjects } from "../survey/commits.js";
import { surveyNews } from "../survey/history.js";
import { PUSH_LIMIT } from "../survey/large-file.js";
import { mergeTrees } from "../work/merge.js";
import { fetchPulls } from "./fetch-pulls.js";
import {
  pullBranch,
  type JudgedPull,
  type OpenPull,
  type PullFate,
} from "./pull.js";

export interface TransplantRequest {
  readonly quarantine: Quarantine;
  readonly address: SourceAddress;
  readonly stored: StoredRecord;
  /** The commit of the branch for the merges. */
  readonly head: string;
  /** The target's refs. */
  readonly refs: ReadonlyMap<string, string>;
  /** Branches that are checked out in some working tree: if one moved, its files would look edited. */
  readonly checkedOut: ReadonlySet<string>;
  readonly pulls: readonly OpenPull[];
  readonly allowSecrets: boolean;
}

/**
 * Recreates the branches of pull requests on the grafted history, in the quarantine. Their commits are rewritten like
 * all others, and keep people, dates and merges. Each pull request is judged separately; a failure doesn't block the
 * others.
 */
export async function transplant(
  request: TransplantRequest,
): Promise<readonly JudgedPull[]> {
  const { quarantine, address, pulls, stored } = request;
  const { git } = quarantine;
  const { record, map } = stored;
  const heads = await fetchPulls(quarantine, address, pulls);
  const fates = new Map<number, PullFate>();
  const wanted = new Map<number, string>();
  for (const { number } of pulls) {
    const head = heads.get(number);
    if (!head) fates.set(number, { kind: "head-gone" });
    else if (head.kind === "unreadable") fates.set(number, head);
    else if (map.has(head.id)) fates.set(number, { kind: "nothing-new" });
    else wanted.set(number, head.id);
  }
  const present = await presentObjects(git, "commit", record.tips);
  for (const [number, refusal] of await refuseContent(
    quarantine,
    wanted,
    present,
    request.allowSecrets,
  )) {
    fates.set(number, { kind: "content-refused", refusal });
    wanted.delete(number);
  }
  if (wanted.size > 0) {
    const sourceName = record.source.slug ?? record.name;
    const { known, exclude } = await knownHistory(git, stored, present);
    const { commits } = await writePack(quarantine, (pack) =>
      graft({
        git,
        pack,
        tips: [...new Set(wanted.values())],
        placements: record.placements,
        known,
        exclude,
        qualifyRefs: record.qualifyRefs,
        trailer: record.trailer ? sourceName : undefined,
        onProgress: () => undefined,
      }),
    );
    const taken = new Map(request.refs);
    for (const [number, old] of wanted) {
      const fate = await place(request, number, old, commits.get(old), taken);
      if (fate.kind === "carried") taken.set(fate.ref, fate.id);
      fates.set(number, fate);
    }
  }
  return pulls.flatMap((pull) => {
    const fate = fates.get(pull.number);
    return fate ? [{ pull, fate }] : [];
  });
}

/** Returns the result for a rewritten head: its ref, and the conflicts of a merge. */
async function place(
  request: TransplantRequest,
  number: number,
  old: string,
  id: string | undefined,
  taken: ReadonlyMap<string, string>,
): Promise<PullFate> {
  const { quarantine, stored, head, refs, checkedOut } = request;
  const { git } = quarantine;
  const { record } = stored;
  const tip = record.tip.new;
  if (id === undefined || (await isAncestor(git, id, tip)))
    return { kind: "nothing-new" };
  const ref = pullBranch(record.placements[0]?.to ?? "", number);
  const before = refs.get(ref);
  if (before === id) return { kind: "unchanged", ref };
  const carried = record.pulls?.carried.find((one) => one.number === number);
  if (before === undefined) {
    const [refusal] = refRefusals([{ from: `#${number}`, to: ref }], taken);
    if (refusal) return { kind: "ref-refused", refusal };
  } else if (before !== carried?.id || checkedOut.has(ref))
    return { kind: "branch-taken", ref };
  const bases = await git.run(["merge-base", tip, id], { answers: [0, 1] });
  if (bases.exitCode !== 0) return { kind: "unrelated" };
  const { stdout } = await git.run(["rev-list", "--count", id, `^${tip}`]);
  const { conflicts } = await mergeTrees(git, head, id);
  const removed = new Set(record.removed);
  return {
    kind: "carried",
    ref,
    id,
    old,
    before,
    commits: Number(stdout.toString()),
    conflicts: conflicts.filter((path) => !removed.has(path)),
    removed: conflicts.filter((path) => removed.has(path)),
  };
}

/**
 * Refuses pull requests with content that a migration refuses, too. It searches all of them at once; only if that finds
 * something, it searches each of them.
 */
async function refuseContent(
  quarantine: Quarantine,
  heads: ReadonlyMap<number, string>,
  present: readonly string[],
  allowSecrets: boolean,
): Promise<ReadonlyMap<number, Refusal>> {
  const judge = async (ids: readonly string[]) => {
    const { secrets, large } = await surveyNews(
      quarantine,
      ids,
      present,
      PUSH_LIMIT,
    );
    const [file] = large;
    if (secrets.length > 0 && !allowSecrets)
      return { code: "secrets", found: secrets } as const;
    return file && ({ code: "large-file", file, limit: PUSH_LIMIT } as const);
  };
  const refused = new Map<number, Refusal>();
  if (heads.size === 0 || !(await judge([...heads.values()]))) return refused;
  for (const [number, id] of heads) {
    const refusal = await judge([id]);
    if (refusal) refused.set(number, refusal);
  }
  return refused;
}

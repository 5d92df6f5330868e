import { Failure } from "@skein/reporting";
import { bringHistory, type BroughtHistory } from "./history/bring-history.js";
import { commitMap } from "./history/commit-map.js";
import type { Committer } from "./history/make-commit.js";
import { proveTrees } from "./history/prove-trees.js";
import { makeTags, type MadeTags } from "./history/tags.js";
import { nameOf } from "./names-of-source.js";
import { writePack } from "./objects/pack-writer.js";
import type { Plan } from "./plan.js";
import type { Progress } from "./progress.js";
import type { Quarantine } from "./quarantine.js";

/** A source's history and tags as they will be in the target. What the target holds plays no part in it. */
export interface Rewritten {
  readonly brought: BroughtHistory;
  readonly tags: MadeTags;
  /** What a commit of the source became. */
  readonly newCommit: (old: string) => string | undefined;
  /** How many commits have the very files of their originals: all, or it rejects. Runs beside what comes next. */
  readonly proved: Promise<number>;
}

/** Rewrites in the quarantine, and begins the proof. @throws {GitError} */
export async function rewriteHistory(
  plan: Plan,
  quarantine: Quarantine,
  committer: Committer,
  progress: Progress,
): Promise<Rewritten> {
  const { git, scratch } = quarantine;
  const { request, placements } = plan;
  const sourceName = nameOf(plan);
  progress.phase("rewrite", plan.commits);
  const rewritten = await writePack(quarantine, async (pack) => {
    const brought = await bringHistory({
      git,
      pack,
      scratch,
      mode: request.history,
      placements,
      tip: plan.tip,
      moreTips: [
        ...plan.branches.map(({ id }) => id),
        ...plan.tags.map(({ commit }) => commit),
      ],
      known: commitMap([]),
      exclude: [],
      previous: undefined,
      qualifyRefs: request.qualifyRefs,
      trailer: request.trailer ? sourceName : undefined,
      sourceName,
      committer,
      onProgress: (commits) => progress.advance(commits),
    });
    // A moved history keeps its commits: its tags and branches point at them.
    const newCommit = (old: string) =>
      request.history === "move" ? old : brought.commits.get(old);
    const tags = await makeTags(git, pack, plan.tags, newCommit);
    return { brought, tags, newCommit };
  });
  const proved = prove(git, rewritten.brought, plan);
  // Whoever awaits it late must not be beaten by an unhandled rejection.
  proved.catch(() => undefined);
  return { ...rewritten, proved };
}

async function prove(
  git: Quarantine["git"],
  { commits }: BroughtHistory,
  { placements }: Plan,
): Promise<number> {
  const { compared, differences } = await proveTrees(git, commits, placements);
  const [difference] = differences;
  if (difference)
    throw new Failure(
      `Commit ${difference.old} is not the same below ${difference.path}: nothing was merged.`,
      { hint: "This is a bug in migrate-repo; please report it." },
    );
  return compared;
}

/** Whether two plans rewrite the same history in the same way, whatever the target has become between them. */
export function rewriteAlike(one: Plan, other: Plan): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(plan: Plan): string {
  const { request, placements, tip, branches, tags } = plan;
  return JSON.stringify([
    nameOf(plan),
    request,
    placements,
    tip,
    branches,
    tags,
  ]);
}

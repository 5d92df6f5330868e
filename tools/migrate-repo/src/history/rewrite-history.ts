import {
  bringHistory,
  type BroughtHistory,
  type HistoryRequest,
} from "./bring-history.js";
import { commitMap } from "./commit-map.js";
import { requireSameTrees } from "./prove-trees.js";
import { makeTags, type MadeTags } from "./tags.js";
import type { MigrationRequest, SourceAddress, TagPlan } from "../migration.js";
import { nameOf } from "../names/source-name.js";
import { writePack } from "../objects/pack-writer.js";
import type { Progress } from "../words/progress.js";
import type { Quarantine } from "../quarantine/quarantine.js";

/** A source's history and tags in the form for the target. The target's content has no influence on it. */
export interface Rewritten {
  readonly brought: BroughtHistory;
  readonly tags: MadeTags;
  /** Returns the new commit of a source's commit. */
  readonly newCommit: (old: string) => string | undefined;
  /**
   * Resolves with the number of commits whose files equal their originals' (all of them), or rejects. The proof runs
   * concurrently with the next steps.
   */
  readonly proved: Promise<number>;
}

/** The inputs of a rewrite; none of them comes from the target. */
export interface RewriteRequest extends Pick<
  HistoryRequest,
  "placements" | "tip" | "moreTips" | "committer" | "onCommit"
> {
  readonly request: MigrationRequest;
  readonly source: SourceAddress;
  readonly progress: Progress;
  /** Chooses the tags after all commits have been read. */
  readonly chooseTags: () => Promise<readonly TagPlan[]>;
}

/** Rewrites a history in the quarantine, and starts the proof. @throws {GitError} */
export async function rewriteHistory(
  quarantine: Quarantine,
  { request, source, progress, chooseTags, ...what }: RewriteRequest,
): Promise<Rewritten> {
  const { git, scratch } = quarantine;
  const sourceName = nameOf({ source });
  const rewritten = await writePack(quarantine, async (pack) => {
    const brought = await bringHistory({
      ...what,
      git,
      pack,
      scratch,
      mode: request.history,
      known: commitMap([]),
      exclude: [],
      previous: undefined,
      qualifyRefs: request.qualifyRefs,
      trailer: request.trailer ? sourceName : undefined,
      sourceName,
      onCount: (commits) => progress.phase("rewrite", commits),
      onProgress: (commits) => progress.advance(commits),
    });
    // A moved history keeps its commits; its tags and branches point at them.
    const newCommit = (old: string) =>
      request.history === "move" ? old : brought.commits.get(old);
    const tags = await makeTags(git, pack, await chooseTags(), newCommit);
    return { brought, tags, newCommit };
  });
  const { commits, trees } = rewritten.brought;
  const proved = requireSameTrees(git, commits, what.placements, trees);
  // Avoids an unhandled rejection before the proof is awaited.
  proved.catch(() => undefined);
  return { ...rewritten, proved };
}

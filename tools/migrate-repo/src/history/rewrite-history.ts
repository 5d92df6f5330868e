import type { GitObject } from "@skein/git";
import { bringHistory, type BroughtHistory } from "./bring-history.js";
import { commitMap } from "./commit-map.js";
import type { Committer } from "./make-commit.js";
import { requireSameTrees } from "./prove-trees.js";
import { makeTags, type MadeTags } from "./tags.js";
import type {
  MigrationRequest,
  Placement,
  SourceAddress,
  TagPlan,
} from "../migration.js";
import { nameOf } from "../names/source-name.js";
import { writePack } from "../objects/pack-writer.js";
import type { Progress } from "../words/progress.js";
import type { Quarantine } from "../quarantine/quarantine.js";

/** A source's history and tags as they will be in the target. What the target holds plays no part in it. */
export interface Rewritten {
  readonly brought: BroughtHistory;
  readonly tags: MadeTags;
  /** Returns the new commit of a source's commit. */
  readonly newCommit: (old: string) => string | undefined;
  /** How many commits have the very files of their originals: all, or it rejects. Runs beside what comes next. */
  readonly proved: Promise<number>;
}

/** The inputs of a rewrite; the target plays no part in it. */
export interface RewriteRequest {
  readonly request: MigrationRequest;
  readonly source: SourceAddress;
  readonly placements: readonly Placement[];
  /** The source's commit that will be merged. */
  readonly tip: string;
  /** Commits of more branches and tags that come along. */
  readonly moreTips: readonly string[];
  readonly committer: Committer;
  readonly progress: Progress;
  /** Called with each commit that is grafted, as it was. */
  readonly onCommit?: (commit: GitObject) => void;
  /** Decides on the tags, once each commit was seen. */
  readonly chooseTags: () => Promise<readonly TagPlan[]>;
}

/** Rewrites in the quarantine, and begins the proof. @throws {GitError} */
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
    // A moved history keeps its commits: its tags and branches point at them.
    const newCommit = (old: string) =>
      request.history === "move" ? old : brought.commits.get(old);
    const tags = await makeTags(git, pack, await chooseTags(), newCommit);
    return { brought, tags, newCommit };
  });
  const { commits, trees } = rewritten.brought;
  const proved = requireSameTrees(git, commits, what.placements, trees);
  // Avoids an unhandled rejection before somebody awaits the proof.
  proved.catch(() => undefined);
  return { ...rewritten, proved };
}

import type { Committer } from "../history/make-commit.js";
import type { Rewritten } from "../history/rewrite-history.js";
import { hasGitLfs } from "../lfs/lfs.js";
import type { MigrationRequest } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { overlaps } from "../refusals/destination.js";
import type { Refused } from "../refusals/index.js";
import { findInTags } from "../secrets/find-in-message.js";
import { askGitleaks, withGitleaks } from "../secrets/gitleaks.js";
import type { SecretFound } from "../secrets/secret-found.js";
import { countCommits } from "../survey/commits.js";
import type { SourceFacts } from "../survey/facts.js";
import { surveyHistory, type HistoryFacts } from "../survey/history.js";
import { PUSH_LIMIT } from "../survey/large-file.js";
import { surveyTip, type TipFacts } from "../survey/tip.js";
import { chooseParts, tipsOf, type ChosenSource } from "./choose-parts.js";
import { CommitReading } from "./commit-reading.js";
import { cloneRequested, type CloneOptions } from "./clone-source.js";

export type Gathered =
  | {
      readonly kind: "source";
      readonly facts: SourceFacts;
      /** Undefined if the source was only read, or if the plan will be refused. */
      readonly rewritten: Rewritten | undefined;
    }
  | Refused;

export interface GatherOptions extends CloneOptions {
  /** The committer of the new commits; undefined if the source is only read. */
  readonly rewriteAs: Committer | undefined;
}

/**
 * Clones the source into the quarantine and reads it. It rewrites the history while git is still searching it for large
 * files and secrets. If the search finds a reason against the migration, the plan is refused; nothing has landed by
 * then.
 * @throws {SourceError} if the source can't be reached or read
 */
export async function gather(
  asked: MigrationRequest,
  quarantine: Quarantine,
  options: GatherOptions,
): Promise<Gathered> {
  const { address, progress, rewriteAs } = options;
  const { git } = quarantine;
  const taken = await cloneRequested(asked, quarantine, options);
  if (taken.kind === "refused") return taken;
  progress.phase("read");
  const source = await chooseParts(asked, address, taken, quarantine);
  if (source.kind === "refused") return source;
  const tips = tipsOf(source);
  const limit = Math.min(source.request.maxFileSize, PUSH_LIMIT);
  const tipFacts = await surveyTip(git, source.tip, source.placements);
  const committer = isPlaceable(source, tipFacts) ? rewriteAs : undefined;
  const isRewritten = committer !== undefined;
  const reading = new CommitReading(quarantine, source, isRewritten, tipFacts);
  const [rewritten, history, leaks] = await settleAll([
    committer && reading.rewrite(committer, progress),
    surveyHistory(git, tips, [], limit),
    askGitleaks(git, tips, [], quarantine.scratch),
    reading.walked,
  ]);
  const facts = await factsOf(git, source, reading, {
    tipFacts,
    history,
    leaks,
  });
  return { kind: "source", facts, rewritten };
}

/** Returns whether a history can be rewritten for these folders. If not, the plan is refused. */
function isPlaceable(
  { placements }: ChosenSource,
  { missing }: TipFacts,
): boolean {
  return (
    missing.length === 0 &&
    overlaps(placements.map(({ to }) => to)).length === 0
  );
}

/** Combines the facts about the source. */
async function factsOf(
  git: Quarantine["git"],
  source: ChosenSource,
  reading: CommitReading,
  {
    tipFacts,
    history,
    leaks,
  }: {
    readonly tipFacts: TipFacts;
    readonly history: HistoryFacts;
    /** The findings of gitleaks, if it is installed. */
    readonly leaks: readonly SecretFound[];
  },
): Promise<SourceFacts> {
  const { request, announcement, everyTag } = source;
  const tags = await reading.tags();
  const { commits, reachable, closing, secrets } = reading.facts();
  const ours = [
    ...history.secrets,
    ...secrets,
    ...(await findInTags(git, tags)),
  ];
  return {
    ...source,
    tipFacts,
    history: { ...history, secrets: withGitleaks(ours, leaks) },
    gitLfs: history.lfs.length > 0 && (await hasGitLfs(git)),
    commits:
      everyTag.length > 0
        ? await countCommits(git, tipsOf(source), [])
        : commits,
    closing: request.qualifyRefs === undefined ? closing : 0,
    staying: announcement.branches
      .filter(({ id }) => !reachable.has(id))
      .map((ref) => ref.name),
    tags,
    otherTags:
      request.tags === "none" ? 0 : announcement.tags.length - tags.length,
  };
}

/** Waits for all promises, even if one fails, so that nothing is still running afterwards. @throws the first failure */
async function settleAll<T extends readonly unknown[]>(
  all: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

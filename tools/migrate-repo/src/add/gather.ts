import type { SourceFacts } from "../survey/facts.js";
import type { Committer } from "../history/make-commit.js";
import { hasGitLfs } from "../lfs/lfs.js";
import { planTags } from "../plan/make-plan.js";
import type { MigrationRequest, SourceRef } from "../migration.js";
import { placementsOf } from "../names/names.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { Refusal } from "../refusals/index.js";
import { rewriteHistory, type Rewritten } from "../history/rewrite-history.js";
import { askGitleaks, withGitleaks } from "../secrets/gitleaks.js";
import { findInTags } from "../secrets/find-in-message.js";
import {
  countCommits,
  openCommitSurvey,
  surveyCommits,
} from "../survey/commits.js";
import { findName } from "../survey/find-name.js";
import { PUSH_LIMIT, surveyHistory } from "../survey/history.js";
import { reachableTags, tagsOfCommits } from "../survey/source-tags.js";
import {
  findInnerPackages,
  isAuto,
  withPackages,
} from "../survey/inner-packages.js";
import { surveyTip } from "../survey/tip.js";
import { takeSource, type TakeOptions } from "./take-source.js";

export type Gathered =
  | {
      readonly kind: "source";
      readonly facts: SourceFacts;
      /** Undefined where it was only looked at. */
      readonly rewritten: Rewritten | undefined;
    }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

export interface GatherOptions extends TakeOptions {
  /** Who makes the new commits; undefined: the source is only looked at. */
  readonly rewriteAs: Committer | undefined;
}

/**
 * Clones the source into the quarantine and reads it; its history is rewritten as it is read, while git still walks through
 * it for large files and secrets: whether those forbid it decides who made up the plan, and nothing has landed by then.
 * @throws {SourceError} when the source cannot be reached or read
 */
export async function gather(
  asked: MigrationRequest,
  quarantine: Quarantine,
  options: GatherOptions,
): Promise<Gathered> {
  const { address, progress, rewriteAs } = options;
  const { git } = quarantine;
  const taken = await takeSource(asked, quarantine, options);
  if (taken.kind === "refused") return taken;
  const { announcement, branch, tip, branches } = taken;
  progress.phase("read");
  const inner =
    asked.only.length === 0 || isAuto(asked)
      ? await findInnerPackages(git, tip)
      : [];
  const request = withPackages(asked, inner);
  if (isAuto(request))
    return { kind: "refused", refusals: [{ code: "no-packages" }] };
  const tips = [tip, ...branches.map(({ id }) => id)];
  const name = request.name ?? (await findName(git, tip, request, address));
  const placements = placementsOf(request.only, request.to, name);
  const everyTag =
    request.tags === "all" ? await tagsOfCommits(git, announcement.tags) : [];
  const survey = openCommitSurvey(
    new Set(
      [...announcement.branches, ...announcement.tags].map(
        ({ id, peeled }) => peeled ?? id,
      ),
    ),
  );
  // A graft shows all of them to the survey, unless tags bring more.
  const isShown =
    rewriteAs && request.history === "graft" && everyTag.length === 0;
  const everyTip = [...tips, ...everyTag.map(({ id }) => id)];
  const surveyed = isShown ? undefined : surveyCommits(git, everyTip, survey);
  const lookedAt = surveyTip(git, tip, placements);
  const plansOf = async (tags: readonly SourceRef[]) =>
    planTags({ tags, request, placements, name, tipFacts: await lookedAt });
  const chooseTags = async () => {
    await surveyed;
    return request.tags === "reachable"
      ? reachableTags(
          quarantine,
          address,
          survey.facts().reachable,
          announcement.tags,
        )
      : everyTag;
  };
  let tags: readonly SourceRef[] | undefined;
  const rewrite = async (committer: Committer) =>
    rewriteHistory(quarantine, {
      request,
      source: address,
      placements,
      tip,
      moreTips: [
        ...branches.map(({ id }) => id),
        ...(everyTag.length === 0 ? [] : await plansOf(everyTag)).map(
          ({ commit }) => commit,
        ),
      ],
      committer,
      progress,
      ...(isShown && {
        onCommit: (commit) => survey.see(commit),
      }),
      chooseTags: async () => plansOf((tags = await chooseTags())),
    });
  const [rewritten, history, tipFacts, theirs] = await settleAll([
    rewriteAs && rewrite(rewriteAs),
    surveyHistory(git, everyTip, [], Math.min(request.maxFileSize, PUSH_LIMIT)),
    lookedAt,
    askGitleaks(git, everyTip, [], quarantine.scratch),
    surveyed,
  ]);
  tags ??= await chooseTags();
  const { commits, reachable, closing, secrets } = survey.facts();
  const facts: SourceFacts = {
    request,
    address,
    announcement,
    name,
    branch,
    tip,
    placements,
    tipFacts,
    inner,
    history: {
      ...history,
      secrets: withGitleaks(
        [...history.secrets, ...secrets, ...(await findInTags(git, tags))],
        theirs,
      ),
    },
    gitLfs: history.lfs.length > 0 && (await hasGitLfs(git)),
    commits:
      everyTag.length > 0 ? await countCommits(git, everyTip, []) : commits,
    closing: request.qualifyRefs === undefined ? closing : 0,
    staying: announcement.branches
      .filter(({ id }) => !reachable.has(id))
      .map((ref) => ref.name),
    tags,
    branches,
    otherTags:
      request.tags === "none" ? 0 : announcement.tags.length - tags.length,
  };
  return { kind: "source", facts, rewritten };
}

/** Waits for all, also when one fails: what goes on then finds nobody at work. @throws the first failure */
async function settleAll<T extends readonly unknown[]>(
  all: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

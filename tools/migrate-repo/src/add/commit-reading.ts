import type { Committer } from "../history/make-commit.js";
import { rewriteHistory, type Rewritten } from "../history/rewrite-history.js";
import type { SourceRef, TagPlan } from "../migration.js";
import { planTags } from "../plan/make-plan.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import {
  openCommitSurvey,
  surveyCommits,
  type CommitFacts,
  type CommitSurvey,
} from "../survey/commits.js";
import { reachableTags } from "../survey/source-tags.js";
import type { TipFacts } from "../survey/tip.js";
import type { Progress } from "../words/progress.js";
import { tipsOf, type ChosenSource } from "./choose-parts.js";

/**
 * Rewrites the source's history while it is read, so that git walks through the commits once. A graft visits each
 * commit and passes it to the survey. In every other case (a dry run, a move, a squash, or tags with further commits),
 * the survey walks through the commits itself.
 */
export class CommitReading {
  /** Resolves when the survey's own walk is over; undefined if the graft passes the commits. */
  readonly walked: Promise<void> | undefined;
  readonly #quarantine: Quarantine;
  readonly #source: ChosenSource;
  readonly #tipFacts: TipFacts;
  readonly #survey: CommitSurvey;
  #tags: Promise<readonly SourceRef[]> | undefined;

  /**
   * @param isRewritten whether `rewrite` will be called
   * @param tipFacts the files at the tip, which decide the names of tags
   */
  constructor(
    quarantine: Quarantine,
    source: ChosenSource,
    isRewritten: boolean,
    tipFacts: TipFacts,
  ) {
    this.#quarantine = quarantine;
    this.#source = source;
    this.#tipFacts = tipFacts;
    const { announcement, request, everyTag } = source;
    const announced = [...announcement.branches, ...announcement.tags];
    this.#survey = openCommitSurvey(
      new Set(announced.map(({ id, peeled }) => peeled ?? id)),
    );
    const isShown =
      isRewritten && request.history === "graft" && everyTag.length === 0;
    this.walked = isShown
      ? undefined
      : surveyCommits(quarantine.git, tipsOf(source), this.#survey);
  }

  /** Rewrites the history and makes its tags. Call it at most once. @throws {GitError} */
  async rewrite(committer: Committer, progress: Progress): Promise<Rewritten> {
    const { request, address, placements, tip, branches, everyTag } =
      this.#source;
    const taggedCommits = everyTag.length === 0 ? [] : this.#plansOf(everyTag);
    return rewriteHistory(this.#quarantine, {
      request,
      source: address,
      placements,
      tip,
      moreTips: [
        ...branches.map(({ id }) => id),
        ...taggedCommits.map(({ commit }) => commit),
      ],
      committer,
      progress,
      ...(this.walked === undefined && {
        onCommit: (commit) => this.#survey.see(commit),
      }),
      chooseTags: async () => this.#plansOf(await this.tags()),
    });
  }

  /** Returns the tags to migrate. Call it after all commits have been read: after `rewrite`, or after `walked`. */
  tags(): Promise<readonly SourceRef[]> {
    return (this.#tags ??= this.#chooseTags());
  }

  /** Returns the survey's facts about the commits read so far. */
  facts(): CommitFacts {
    return this.#survey.facts();
  }

  async #chooseTags(): Promise<readonly SourceRef[]> {
    const { request, address, announcement, everyTag } = this.#source;
    await this.walked;
    return request.tags === "reachable"
      ? reachableTags(
          this.#quarantine,
          address,
          this.facts().reachable,
          announcement.tags,
        )
      : everyTag;
  }

  #plansOf(tags: readonly SourceRef[]): readonly TagPlan[] {
    const { request, placements, name } = this.#source;
    const tipFacts = this.#tipFacts;
    return planTags({ tags, request, placements, name, tipFacts });
  }
}

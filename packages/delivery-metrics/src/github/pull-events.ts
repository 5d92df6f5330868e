import type { DeliveryEvent, ReviewState } from "../events/event.js";
import { pullKeyed } from "./annotations.js";
import type { PullFacts, TimelineFact } from "./pull-facts.js";
import { upgradesOf, type UpgradeRule } from "./upgrades.js";

/** The pull request of an event. */
interface OfPull {
  readonly repository: string;
  readonly pull: number;
}

/** Converts the facts about a pull request to events. Pure; the same facts result in the same events. */
export function pullEvents(
  repository: string,
  facts: PullFacts,
  rules: readonly UpgradeRule[] = [],
): readonly DeliveryEvent[] {
  const of = { repository, pull: facts.pull };
  const upgrades = upgradesOf(facts, rules);
  return [
    openedEvent(of, facts),
    ...timelineEvents(of, facts),
    ...endEvents(of, facts),
    ...(upgrades.length > 0
      ? [{ kind: "pull-upgrades", at: facts.created, ...of, upgrades } as const]
      : []),
    ...migrationEvents(of, facts),
    ...revertEvents(of, facts),
  ];
}

function openedEvent(of: OfPull, facts: PullFacts): DeliveryEvent {
  return {
    kind: "pull-opened",
    at: facts.created,
    ...of,
    author: facts.author.login,
    bot: facts.author.bot,
    branch: facts.branch,
    base: facts.base,
    draft: wasDraft(facts),
    fork: facts.fork,
    title: facts.title,
  };
}

/** Converts the timeline, earliest first. */
function timelineEvents(
  of: OfPull,
  { timeline, merged }: PullFacts,
): readonly DeliveryEvent[] {
  const before = new Map(
    timeline.flatMap((fact) =>
      fact.kind === "dismissed" && fact.state
        ? [[fact.review, fact.state] as const]
        : [],
    ),
  );
  const pushed = new Set<string>();
  return timeline
    .toSorted((a, b) => a.at - b.at)
    .filter((fact) => {
      // A merge also closes it, in the same moment or shortly after.
      if (fact.kind === "closed")
        return !merged || fact.at < merged.at - 60_000;
      if (fact.kind !== "forced") return true;
      const isNew = !pushed.has(fact.sha);
      pushed.add(fact.sha);
      return isNew;
    })
    .map((fact) => timelineEvent(of, fact, before));
}

/** @param before the states of reviews before their dismissal, by review */
function timelineEvent(
  of: OfPull,
  fact: TimelineFact,
  before: ReadonlyMap<number, ReviewState>,
): DeliveryEvent {
  const { at } = fact;
  switch (fact.kind) {
    case "ready":
    case "draft":
    case "reopened":
    case "closed":
      return { kind: `pull-${fact.kind}`, at, ...of };
    case "queued":
      return { kind: "queue-entered", at, ...of };
    case "unqueued":
      return { kind: "queue-left", at, ...of, reason: fact.reason };
    case "forced":
      return { kind: "pull-pushed", at, ...of, sha: fact.sha, forced: true };
    case "reviewed":
      return {
        kind: "pull-reviewed",
        at,
        ...of,
        review: fact.review,
        reviewer: fact.reviewer.login,
        bot: fact.reviewer.bot,
        // The state before the dismissal is unknown, so the review counts as a comment.
        state: fact.state ?? before.get(fact.review) ?? "commented",
      };
    case "dismissed":
      return { kind: "pull-review-dismissed", at, ...of, review: fact.review };
  }
}

/** Returns the merge, or the closing if the timeline lacks it. */
function endEvents(
  of: OfPull,
  { base, merged, closed, timeline }: PullFacts,
): readonly DeliveryEvent[] {
  if (merged) return [{ kind: "pull-merged", ...of, base, ...merged }];
  return closed !== undefined && !timeline.some(isClosing)
    ? [{ kind: "pull-closed", at: closed, ...of }]
    : [];
}

/** Returns an annotation if the merge brought the import of a repository. */
function migrationEvents(
  { repository, pull }: OfPull,
  { merged, migrations, title }: PullFacts,
): readonly DeliveryEvent[] {
  const [migration, ...more] = migrations;
  if (!merged || migration === undefined) return [];
  const words = more.length > 0 ? (title ?? migration) : migration;
  const { key, title: text } = pullKeyed(pull, words);
  return [
    {
      kind: "annotated",
      at: merged.at,
      repository,
      what: "migration",
      key,
      text,
    },
  ];
}

/** Returns an event of the pull request that this one reverted with its merge. */
function revertEvents(
  { repository, pull }: OfPull,
  facts: PullFacts,
): readonly DeliveryEvent[] {
  if (!facts.merged) return [];
  const reverted = revertedBy(repository, facts);
  return reverted !== undefined && reverted !== pull
    ? [
        {
          kind: "pull-reverted",
          at: facts.merged.at,
          repository,
          pull: reverted,
          by: pull,
        },
      ]
    : [];
}

const isClosing = ({ kind }: TimelineFact) => kind === "closed";

/** Returns whether it was opened as a draft. The first change of that state shows the state before. */
function wasDraft({ timeline, draft }: PullFacts): boolean {
  const [first] = timeline
    .filter(({ kind }) => kind === "ready" || kind === "draft")
    .sort((a, b) => a.at - b.at);
  return first ? first.kind === "ready" : draft;
}

/**
 * Returns the pull request that this one reverts. GitHub's button names the branch `revert-12-…`, titles it
 * `Revert "…"`, and writes `Reverts owner/name#12`, which remains if someone renames the branch.
 */
function revertedBy(
  repository: string,
  { branch, title, body }: PullFacts,
): number | undefined {
  if (!/^revert\b/i.test(title ?? "")) return undefined;
  const [, ofBranch] = /^revert-(\d{1,9})-/.exec(branch) ?? [];
  if (ofBranch !== undefined) return Number(ofBranch);
  const [, of = repository, ofBody] =
    /^Reverts ([\w.-]+\/[\w.-]+)?#(\d{1,9})\b/m.exec(body ?? "") ?? [];
  const isHere = of.toLowerCase() === repository.toLowerCase();
  return isHere && ofBody !== undefined ? Number(ofBody) : undefined;
}

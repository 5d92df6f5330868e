import type { Instant, PublishedPackage } from "../events/event.js";
import { HUMAN_STAGES, STAGES, type Stage } from "../report/stages.js";
import { both, minus, union, type Spans } from "../spans/spans.js";
import type { Excluded, StageSpans, Timeline } from "./timeline.js";

/** The stages of an upgrading pull request that are added to the same stages: human ones, and those after its merge. */
const OWN_STAGES: readonly Stage[] = [
  ...HUMAN_STAGES,
  "post-merge-build",
  "publish",
  "publish-wait",
];

/** A pull request that upgrades to a package of another repository. */
interface Upgrade {
  readonly repository: string;
  readonly version: string | null;
  readonly timeline: Timeline;
}

/**
 * Extends the timelines of pull requests in library repositories to the repository that upgrades to their publications:
 * up to the end of the first pull request there that upgrades to the published version, or to a later one. If a package
 * is never upgraded anywhere, its pull requests end with their publication.
 * @param asOf a publication without an upgrade by then has not ended
 */
export function withUpgrades(
  every: readonly (Timeline | Excluded)[],
  asOf: Instant,
): readonly (Timeline | Excluded)[] {
  const byPackage = upgradesByPackage(every);
  return every.map((timeline) => {
    if ("reason" in timeline) return timeline;
    const { facts, publication, stages } = timeline;
    const taken = (publication?.packages ?? []).flatMap((published) =>
      (byPackage.get(published.name) ?? [])
        .filter(({ repository }) => repository !== facts.repository)
        .map((upgrade) => ({ upgrade, published })),
    );
    if (!publication || taken.length === 0) return timeline;
    const first = taken
      .filter(({ upgrade, published }) =>
        brings(upgrade, published, publication.at),
      )
      .map(({ upgrade }) => upgrade.timeline)
      .reduce<Timeline | undefined>(
        (least, each) => (least && least.merged <= each.merged ? least : each),
        undefined,
      );
    return first
      ? led(timeline, first)
      : {
          ...timeline,
          ended: asOf,
          unfinished: "not-upgraded",
          stages: {
            ...stages,
            upgrade: union([{ from: timeline.ended, to: asOf }]),
          },
        };
  });
}

function upgradesByPackage(
  every: readonly (Timeline | Excluded)[],
): ReadonlyMap<string, readonly Upgrade[]> {
  const byPackage = new Map<string, Upgrade[]>();
  for (const timeline of every) {
    if ("reason" in timeline) continue;
    const { repository, upgrades } = timeline.facts;
    for (const { name, version } of upgrades?.upgrades ?? []) {
      const upgrade = { repository, version, timeline };
      const list = byPackage.get(name);
      if (list) list.push(upgrade);
      else byPackage.set(name, [upgrade]);
    }
  }
  return byPackage;
}

/**
 * Returns whether an upgrade contains a publication: it upgrades to this very version; or, if that version was skipped,
 * it was opened after its publication.
 */
function brings(
  { version, timeline }: Upgrade,
  published: PublishedPackage,
  at: Instant,
): boolean {
  if (timeline.merged < at) return false;
  return (
    (version !== null && version === published.version) || timeline.began >= at
  );
}

function led(library: Timeline, upgrade: Timeline): Timeline {
  const rest = union([{ from: library.ended, to: upgrade.ended }]);
  const own = Object.fromEntries(
    STAGES.map((stage): [Stage, Spans] => [
      stage,
      OWN_STAGES.includes(stage) ? both(upgrade.stages[stage], rest) : [],
    ]),
  ) as StageSpans;
  const ofOwn = union(STAGES.flatMap((stage) => own[stage]));
  const stages = Object.fromEntries(
    STAGES.map((stage): [Stage, Spans] => [
      stage,
      stage === "upgrade"
        ? minus(rest, ofOwn)
        : union([...library.stages[stage], ...own[stage]]),
    ]),
  ) as StageSpans;
  return {
    ...library,
    ended: Math.max(library.ended, upgrade.ended),
    unfinished: upgrade.unfinished && "not-upgraded",
    stages,
    skewedSpans: library.skewedSpans + upgrade.skewedSpans,
  };
}

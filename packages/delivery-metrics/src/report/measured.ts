import { lengthOf } from "../spans/spans.js";
import type { Timeline } from "../timeline/timeline.js";
import type { Sample } from "./distribution.js";
import type { Measure, Stage } from "./report.js";
import { HUMAN_STAGES, STAGES } from "./report.js";

/** The measures of one pull request, in milliseconds; null where no run of it is known. */
export function measuresOf({
  stages,
  hasBuilds,
}: Timeline): Readonly<Record<Measure, number | null>> {
  const sum = (list: readonly Stage[]) =>
    list.reduce((total, stage) => total + lengthOf(stages[stage]), 0);
  const gross = sum(STAGES);
  const headline = gross - sum(HUMAN_STAGES);
  return {
    gross,
    headline: hasBuilds ? headline : null,
    machine: hasBuilds ? headline - sum(["publish-wait", "upgrade"]) : null,
  };
}

/** A measure of all that have it. */
export function measureSamples(
  timelines: readonly Timeline[],
  measure: Measure,
): readonly Sample[] {
  return timelines.flatMap((timeline) => {
    const ms = measuresOf(timeline)[measure];
    return ms === null ? [] : [{ ...refOf(timeline), ms }];
  });
}

/** A stage of all whose builds are known. */
export function stageSamples(
  timelines: readonly Timeline[],
  stage: Stage,
): readonly Sample[] {
  return timelines
    .filter(({ hasBuilds }) => hasBuilds)
    .map((timeline) => ({
      ...refOf(timeline),
      ms: lengthOf(timeline.stages[stage]),
    }));
}

/** All commits' builds. */
export function buildSamples(
  timelines: readonly Timeline[],
): readonly Sample[] {
  return timelines.flatMap((timeline) =>
    timeline.builds.map(({ ms }) => ({ ...refOf(timeline), ms })),
  );
}

export function refOf({ facts: { repository, pull } }: Timeline): {
  readonly repository: string;
  readonly pull: number;
} {
  return { repository, pull };
}

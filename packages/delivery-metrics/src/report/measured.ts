import { lengthOf } from "../spans/spans.js";
import type { Timeline } from "../timeline/timeline.js";
import type { Sample } from "./distribution.js";
import type { Measure, PullRef, Stage } from "./report.js";
import { HUMAN_STAGES, STAGES } from "./report.js";

/** A pull request and its numbers. Milliseconds. */
export interface Measured {
  readonly timeline: Timeline;
  readonly ref: PullRef;
  readonly stages: Readonly<Record<Stage, number>>;
  readonly gross: number;
  /** Null where no run of it is known. */
  readonly headline: number | null;
  readonly machine: number | null;
}

/** Measures one pull request. */
export function measured(timeline: Timeline): Measured {
  const { repository, pull } = timeline.facts;
  const stages = {} as Record<Stage, number>;
  let gross = 0;
  for (const stage of STAGES)
    gross += stages[stage] = lengthOf(timeline.stages[stage]);
  const headline = HUMAN_STAGES.reduce(
    (rest, stage) => rest - stages[stage],
    gross,
  );
  const machine = headline - stages["publish-wait"] - stages.upgrade;
  return {
    timeline,
    ref: { repository, pull },
    stages,
    gross,
    headline: timeline.hasBuilds ? headline : null,
    machine: timeline.hasBuilds ? machine : null,
  };
}

/** A measure of all that have it. */
export function measureSamples(
  list: readonly Measured[],
  measure: Measure,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (const { ref, [measure]: ms } of list)
    if (ms !== null) samples.push({ ref, ms });
  return samples;
}

/** A stage of all whose builds are known. */
export function stageSamples(
  list: readonly Measured[],
  stage: Stage,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (const { ref, stages, timeline } of list)
    if (timeline.hasBuilds) samples.push({ ref, ms: stages[stage] });
  return samples;
}

/** All commits' builds. */
export function buildSamples(list: readonly Measured[]): readonly Sample[] {
  return list.flatMap(({ ref, timeline }) =>
    timeline.builds.map(({ ms }) => ({ ref, ms })),
  );
}

import type { Instant } from "../events/event.js";
import { lengthOf } from "../spans/spans.js";
import type { Timeline } from "../timeline/timeline.js";
import type { Sample } from "./distribution.js";
import type { Measure, PullRef, Stage } from "./report.js";
import { HUMAN_STAGES, STAGES } from "./report.js";

/** A pull request and its numbers, in milliseconds. */
export interface Measured {
  readonly timeline: Timeline;
  readonly ref: PullRef;
  readonly stages: Readonly<Record<Stage, number>>;
  readonly gross: number;
  /** Null if no run of it is known. */
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

/** Returns the samples of a measure, from all pull requests that have it. */
export function measureSamples(
  list: readonly Measured[],
  measure: Measure,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (const { ref, timeline, [measure]: ms } of list)
    if (ms !== null) samples.push({ ref, ms, ended: !timeline.unfinished });
  return samples;
}

/** Returns the headline up to some time between the merge and the end, in milliseconds. */
export function headlineAt({ timeline }: Measured, at: Instant): number {
  const human: readonly Stage[] = HUMAN_STAGES;
  let ms = 0;
  for (const stage of STAGES)
    if (!human.includes(stage))
      for (const { from, to } of timeline.stages[stage])
        ms += Math.max(0, Math.min(to, at) - from);
  return ms;
}

/**
 * The stages that end at the latest with the merge. An unfinished pull request may still spend time in later stages.
 */
const BEFORE_MERGE: readonly Stage[] = [
  "build",
  "plan",
  "set-up",
  "judge",
  "queue",
  "retry",
  "merge-queue",
];

/**
 * Returns whether a stage is over. A pull request that still has to be upgraded elsewhere may spend time in human
 * stages there.
 */
function isOver(stage: Stage, { unfinished }: Timeline): boolean {
  if (unfinished === undefined) return true;
  return (
    BEFORE_MERGE.includes(stage) ||
    (unfinished === "not-published" &&
      (HUMAN_STAGES as readonly Stage[]).includes(stage))
  );
}

/** Returns the samples of a stage, from all pull requests with known builds. */
export function stageSamples(
  list: readonly Measured[],
  stage: Stage,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (const { ref, stages, timeline } of list)
    if (timeline.hasBuilds)
      samples.push({ ref, ms: stages[stage], ended: isOver(stage, timeline) });
  return samples;
}

/** Returns the samples of all commits' builds. */
export function buildSamples(list: readonly Measured[]): readonly Sample[] {
  return list.flatMap(({ ref, timeline }) =>
    timeline.builds.map(({ ms }) => ({ ref, ms, ended: true })),
  );
}

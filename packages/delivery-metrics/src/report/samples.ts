import type { Instant } from "../events/event.js";
import type { Sample } from "./distribution.js";
import type { Measured } from "./measured.js";
import type { Measure } from "./report.js";
import { isHuman, STAGES_TO_MERGE, type Stage } from "./stages.js";

/** Returns the samples of a measure, from all pull requests that have it. */
export function measureSamples(
  list: readonly Measured[],
  measure: Measure,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (const { ref, unfinished, [measure]: ms } of list)
    if (ms !== null) samples.push({ ref, ms, ended: !unfinished });
  return samples;
}

/** Returns the headline up to some time between the merge and the end, in milliseconds. */
export function headlineAt(
  { headline, afterMerge }: Measured,
  at: Instant,
): number {
  let ms = headline ?? 0;
  for (let index = 0; index < afterMerge.length; index += 2) {
    const [from = 0, to = 0] = [afterMerge[index], afterMerge[index + 1]];
    ms -= Math.max(0, to - Math.max(from, at));
  }
  return ms;
}

/**
 * Returns whether a stage is over. An unfinished pull request may still spend time in the stages after its merge, and one
 * that still has to be upgraded elsewhere in human stages there.
 */
function isOver(stage: Stage, { unfinished }: Measured): boolean {
  if (unfinished === undefined) return true;
  return (
    (STAGES_TO_MERGE as readonly Stage[]).includes(stage) ||
    (unfinished === "not-published" && isHuman(stage))
  );
}

/** Returns the samples of a stage, from all pull requests with known builds. */
export function stageSamples(
  list: readonly Measured[],
  stage: Stage,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (const each of list)
    if (each.hasBuilds)
      samples.push({
        ref: each.ref,
        ms: each.msIn(stage),
        ended: isOver(stage, each),
      });
  return samples;
}

/** Returns the samples of all commits' builds. */
export function buildSamples(list: readonly Measured[]): readonly Sample[] {
  return list.flatMap(({ ref, builds }) =>
    builds.map((ms) => ({ ref, ms, ended: true })),
  );
}

import { MEASURES, STAGES } from "@skein/delivery-metrics";
import type {
  DeliveryReport,
  Distribution,
  Measure,
} from "@skein/delivery-metrics";
import { COMPARED_WORDS } from "./words.js";

/** One distribution of a report, with its words. */
export interface Row {
  readonly words: string;
  readonly distribution: Distribution;
}

/** The headline first. Builds stand between the measures and the stages. */
export function measureRows({
  measures,
  builds,
}: DeliveryReport): readonly Row[] {
  return [
    ...MEASURES.map((name: Measure) => ({
      words: COMPARED_WORDS[name],
      distribution: measures[name],
    })),
    { words: COMPARED_WORDS.builds, distribution: builds },
  ];
}

/** Stages that took any time, in their order. */
export function stageRows({ stages }: DeliveryReport): readonly Row[] {
  return STAGES.filter((name) => (stages[name].values?.p95.ms ?? 0) > 0).map(
    (name) => ({ words: COMPARED_WORDS[name], distribution: stages[name] }),
  );
}

import type { AddOutcome } from "../add/add-repository.js";
import { renderPullReport } from "../pulls/render-pulls.js";
import { linesOf } from "../scripts/render-scripts.js";
import type { Plan } from "../plan/plan.js";
import { inOneLine } from "../words/problem-words.js";
import { explainWarning } from "../plan/warnings.js";
import type { BatchNote } from "./render-batch.js";

type Landed = Extract<AddOutcome, { kind: "landed" }>;

const FOLLOW_UP = "follow-up" as const;

/** Returns notes about a migration that hasn't been made yet. */
export function warningsOf({ warnings }: Plan): readonly BatchNote[] {
  return warnings.map((warning) => {
    const { sentence, hint } = explainWarning(warning);
    return { topic: FOLLOW_UP, text: inOneLine(sentence, hint) };
  });
}

/** Returns notes about a migration that landed. */
export function notesOf({
  built,
  scripts,
  pulls,
  pullsFailure,
}: Pick<Landed, "scripts" | "pulls" | "pullsFailure"> & {
  readonly built: Pick<Landed["built"], "cleanUp" | "registration">;
}): readonly BatchNote[] {
  const after = [
    ...(scripts ? linesOf(scripts).map((line) => line.trim()) : []),
    ...(pulls ? renderPullReport(pulls).trimEnd().split("\n") : []),
    ...(pullsFailure
      ? [inOneLine(pullsFailure.message, pullsFailure.hint)]
      : []),
  ];
  return [
    ...[...built.cleanUp, ...built.registration]
      .flatMap(({ notes }) => notes)
      .filter(({ topic, kind }) => topic !== undefined || kind !== "done")
      .map(({ topic, text }) => ({ topic: topic ?? FOLLOW_UP, text })),
    ...after.map((text) => ({ topic: FOLLOW_UP, text })),
  ];
}

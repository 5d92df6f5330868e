import type { AddOutcome } from "../add-repository.js";
import { renderPullReport } from "../pulls/render-pulls.js";
import { linesOf } from "../scripts/render-scripts.js";
import type { BatchNote, Topic } from "./render-batch.js";

/** Steps whose notes have a topic of their own; of all others, what is left to do is told. */
const TOPIC_OF_STEP: Readonly<Record<string, Topic>> = {
  versions: "versions",
  phantoms: "phantoms",
  ci: "ci",
};

/** What people should read of a migration that landed. */
export function notesOf({
  built,
  scripts,
  pulls,
  pullsFailure,
}: Extract<AddOutcome, { kind: "landed" }>): readonly BatchNote[] {
  const after = [
    ...(scripts ? linesOf(scripts).map((line) => line.trim()) : []),
    ...(pulls ? renderPullReport(pulls).trimEnd().split("\n") : []),
    ...(pullsFailure
      ? [`${pullsFailure.message} ${pullsFailure.hint ?? ""}`.trim()]
      : []),
  ];
  return [
    ...[...built.cleanUp, ...built.registration].flatMap(({ plan, notes }) => {
      const topic = TOPIC_OF_STEP[plan.id];
      return notes
        .filter(({ kind }) => topic !== undefined || kind !== "done")
        .map(({ text }) => ({ topic: topic ?? ("follow-up" as const), text }));
    }),
    ...after.map((text) => ({ topic: "follow-up" as const, text })),
  ];
}

import type { Survey } from "../survey.js";
import type { Selection } from "../select.js";

/** Renders everything in the form of schemas/list.schema.json. */
export function renderJson(
  {
    changeset,
    changes,
    head,
    unknown,
    warnings,
  }: Pick<Survey, "changeset" | "changes" | "head" | "unknown" | "warnings">,
  { decision, packages, leftOut }: Selection,
  script: string | undefined,
): string {
  const { base, source } = changeset;
  const document = {
    version: 1,
    base: base ?? null,
    head: changeset.head ?? null,
    source,
    script: script ?? null,
    root: head.graph.root,
    changes,
    packages,
    ...(leftOut && { leftOut }),
    everything: decision.everything,
    noEffect: decision.noEffect,
    unknown,
    warnings,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

import { coded } from "../words/events.js";
import { explainRefusal, type Refusal } from "./index.js";

/** Renders the refusals. Refusals with the same hint share it, for example a hundred tags that exist already. */
export function renderRefusals(refusals: readonly Refusal[]): string {
  const byHint = new Map<string, string[]>();
  for (const refusal of refusals) {
    const { sentence, hint } = explainRefusal(refusal);
    byHint.set(hint, [...(byHint.get(hint) ?? []), sentence]);
  }
  return [...byHint]
    .map(([hint, sentences]) => {
      const rest = sentences.length - SHOWN;
      return [
        ...sentences.slice(0, SHOWN).map((one) => `migrate-repo: ${one}\n`),
        ...(rest > 0 ? [`migrate-repo: ${rest} more like that\n`] : []),
        `hint: ${hint}\n`,
      ].join("");
    })
    .join("");
}

const SHOWN = 5;

/** Returns one `{"event":"refused", …}` for each refusal. */
export function refusalEvents(refusals: readonly Refusal[]): readonly object[] {
  return refusals.map((refusal) => ({
    event: "refused",
    ...coded(refusal),
    ...explainRefusal(refusal),
  }));
}

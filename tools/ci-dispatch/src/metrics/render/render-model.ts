import {
  linkedInModel,
  percentOf,
  showLeadTime,
} from "@skein/delivery-metrics";
import type { StageTable } from "@skein/delivery-metrics";
import { renderTable } from "@skein/reporting";
import { showPercent } from "./words.js";

const MODEL =
  "LinkedIn's model: the sum of stage P90s. P90s do not add up, so this is the P90 of no change";

/** Renders the sums of stage P90s before and after. Each sum has its label, because it isn't a lead time. */
export function renderModel(
  before: StageTable,
  others: readonly StageTable[],
  json: boolean,
): string {
  const from = linkedInModel(before);
  const sums = others.map((table) => {
    const ms = linkedInModel(table);
    return {
      stages: Object.fromEntries(table.stages),
      ms,
      percent: percentOf(from, ms),
    };
  });
  if (json)
    return `${JSON.stringify(
      {
        version: 1,
        model: MODEL,
        before: { stages: Object.fromEntries(before.stages), ms: from },
        after: sums,
      },
      null,
      2,
    )}\n`;
  const tables = [before, ...others].map(({ stages }) =>
    renderTable(
      [{}, { align: "right" }],
      [...stages].map(([name, ms]) => [name, showLeadTime(ms)]),
    ),
  );
  const lines = sums.map(
    ({ ms, percent }) =>
      `${showLeadTime(from)} -> ${showLeadTime(ms)} = ${showPercent(percent)}\n`,
  );
  return `${tables.join("->\n")}\n${MODEL}\n${lines.join("")}`;
}

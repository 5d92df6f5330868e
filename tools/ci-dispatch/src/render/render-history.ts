import { formatDuration, renderTable } from "@skein/reporting";
import type { Measured } from "../history/measure.js";

/**
 * Renders the measurements of each unit, the slowest first; or of one unit, with its test files.
 * @param recovered by unit, the number of its newest runs in which a machine was lost first
 * @param unit `package#script`, or a package; undefined for all
 */
export function renderHistory(
  history: ReadonlyMap<string, Measured>,
  recovered: ReadonlyMap<string, number>,
  unit: string | undefined,
  width: number | undefined,
): string {
  const chosen = [...history]
    .filter(
      ([id]) => unit === undefined || id === unit || id.startsWith(`${unit}#`),
    )
    .sort(([, a], [, b]) => b.p90Ms - a.p90Ms);
  const rows = chosen.flatMap(([id, { runs, p90Ms, flakes, files }]) => [
    [
      id,
      String(runs),
      formatDuration(p90Ms),
      String(flakes),
      String(recovered.get(id) ?? 0),
    ],
    ...(unit === undefined
      ? []
      : [...files]
          .sort(([, a], [, b]) => b - a)
          .map(([file, ms]) => [`  ${file}`, "", formatDuration(ms), "", ""])),
  ]);
  return renderTable(
    [
      { title: "unit", shrinks: true },
      { title: "runs", align: "right" },
      { title: "P90", align: "right" },
      { title: "flakes", align: "right" },
      { title: "recovered", align: "right" },
    ],
    rows,
    { width },
  );
}

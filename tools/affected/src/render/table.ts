import { renderTable, type TableOptions } from "@skein/reporting";
import type { AffectedPackage } from "@skein/workspaces";
import { reasonWords } from "./words.js";

/** Renders packages with their folders and first reasons. */
export function renderPackages(
  packages: readonly AffectedPackage[],
  options: TableOptions,
): string {
  return renderTable(
    [{ title: "package" }, { title: "folder" }, { title: "why" }],
    packages.map(({ name, dir, reasons }) => {
      const [first] = reasons;
      const more = reasons.length > 1 ? ` (+${reasons.length - 1} more)` : "";
      return [name, dir, first ? `${reasonWords(first)}${more}` : "asked for"];
    }),
    options,
  );
}

import { printable } from "@skein/reporting/printable";
import type { AffectedPackage } from "@skein/workspaces";

/** Renders one name per line. */
export function renderNames(packages: readonly AffectedPackage[]): string {
  return packages.map(({ name }) => `${printable(name)}\n`).join("");
}

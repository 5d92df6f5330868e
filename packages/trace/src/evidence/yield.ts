import { addTo } from "@skein/reporting/group-by";
import type { AffectedPackage, Reason } from "@skein/workspaces";

/** The packages that evidence can exclude: none, those that are selected only by guesses, or all. */
export type EvidenceMode = "off" | "guesses" | "full";

/**
 * Returns whether a reason is a guess: selection couldn't tell whether the package can read what changed, because of an open
 * end, an unknown program, a file that no package owns, or changes that aren't known. Every other reason is based on a
 * declaration, a lookup or a reference that names its target. For a declared dependency, the reasons of the other package
 * decide.
 */
export function isGuess(reason: Reason): boolean {
  return (
    reason.kind === "unowned-file" ||
    reason.kind === "unknown" ||
    ("isGuess" in reason && reason.isGuess)
  );
}

/**
 * Returns the packages that evidence can exclude, if it exists: every package with `full`; with `guesses`, those whose
 * reasons are all guesses, or dependencies on packages that are affected only by guesses. Pure; linear.
 */
export function yielding(
  packages: Iterable<AffectedPackage>,
  mode: EvidenceMode,
): ReadonlySet<string> {
  if (mode === "off") return new Set();
  const all = [...packages];
  const names = new Set(all.map(({ name }) => name));
  if (mode === "full") return names;
  const dependents = new Map<string, string[]>();
  const firm = new Set<string>();
  for (const { name, reasons } of all)
    for (const reason of reasons) {
      if (isGuess(reason)) continue;
      if (reason.kind === "dependency") {
        addTo(dependents, reason.on, name);
      } else firm.add(name);
    }
  // A loop over a set also visits elements that are added during the loop.
  for (const name of firm)
    for (const dependent of dependents.get(name) ?? []) firm.add(dependent);
  return new Set([...names].filter((name) => !firm.has(name)));
}

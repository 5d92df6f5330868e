import type { AffectedPackage, Reason } from "@skein/workspaces";

/** What evidence decides: nothing, packages that are selected by guesses alone, or every package. */
export type EvidenceMode = "off" | "guesses" | "full";

/**
 * Tells whether a reason is a guess: selection could not tell whether the package can read what changed. Any other reason
 * has a declaration or a reference to show. A dependency is as good as the reasons of the package that it leads to.
 */
export function isGuess(reason: Reason): boolean {
  return (
    reason.kind === "unowned-file" ||
    reason.kind === "unknown" ||
    (reason.kind === "looked-up-file" && !reason.isKnown)
  );
}

/**
 * Returns the packages that yield to evidence, where there is some: every package with `full`; with `guesses`, those of
 * which each reason is a guess, or a dependency on a package that is affected by guesses alone. Pure; linear.
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
      if (reason.kind === "dependency") {
        const list = dependents.get(reason.on);
        if (list) list.push(name);
        else dependents.set(reason.on, [name]);
      } else if (!isGuess(reason)) firm.add(name);
    }
  // A set hands out what is added while it is walked.
  for (const name of firm)
    for (const dependent of dependents.get(name) ?? []) firm.add(dependent);
  return new Set([...names].filter((name) => !firm.has(name)));
}

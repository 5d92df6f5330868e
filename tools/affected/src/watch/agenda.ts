import type { RunEvent } from "@skein/runner";

/** The packages that must run, while files change and runs start and end. */
export interface Agenda {
  /** Removes and returns the packages that must run now. */
  take(): ReadonlySet<string>;
  /**
   * Adds packages that a saved file affects.
   * @returns whether the current run is outdated, because one of these packages is running with older sources
   */
  affected(packages: Iterable<string>): boolean;
  /** Records an event of the current run. */
  seen(event: RunEvent): void;
  /** Records the end of the current run. Its packages that did not finish are due again. */
  ended(): void;
}

/** Opens an empty agenda. */
export function openAgenda(): Agenda {
  let due = new Set<string>();
  /** Packages of the current run that have not finished. */
  let open = new Set<string>();
  const running = new Set<string>();
  return {
    take() {
      open = due;
      due = new Set();
      return new Set(open);
    },
    affected(packages) {
      const all = [...packages];
      for (const name of all) due.add(name);
      return all.some((name) => running.has(name));
    },
    seen(event) {
      if (event.kind === "started") running.add(event.unit.workspace);
      if (event.kind !== "ended") return;
      const { unit, status } = event.result;
      running.delete(unit.workspace);
      if (status !== "cancelled" && !unit.pulledIn) open.delete(unit.workspace);
    },
    ended() {
      for (const name of open) due.add(name);
      open = new Set();
      running.clear();
    },
  };
}

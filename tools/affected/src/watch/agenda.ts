import type { RunEvent } from "@skein/runner";

/** Which packages have to run, while files change and runs begin and end. */
export interface Agenda {
  /** Takes out the packages that have to run now. */
  take(): ReadonlySet<string>;
  /**
   * Notes packages that a saved file affects.
   * @returns whether the run under way is outdated: one of them is running, with the sources of before
   */
  affected(packages: Iterable<string>): boolean;
  /** Notes an event of the run under way. */
  seen(event: RunEvent): void;
  /** Notes that the run under way has ended: what it was asked for and did not get to is due again. */
  ended(): void;
}

/** Opens an agenda on which nothing stands. */
export function openAgenda(): Agenda {
  let due = new Set<string>();
  /** Packages of the run under way that have not come to their own end. */
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

import type { EventOf, Workload } from "../events/event.js";

/** The work that affected selection saved, over the plans of the window, compared with running everything. */
export interface Savings {
  readonly plans: number;
  readonly jobs: Saved;
  readonly units: Saved;
  readonly machineMs: Saved;
}

export interface Saved {
  readonly everything: number;
  readonly selected: number;
  readonly saved: number;
}

/** Sums up the work that affected selection saved, plan by plan. */
export class SavingsTally {
  #plans = 0;
  readonly #selected = { jobs: 0, units: 0, machineMs: 0 };
  readonly #everything = { jobs: 0, units: 0, machineMs: 0 };

  add({ selected, everything }: EventOf<"jobs-selected">): void {
    this.#plans++;
    for (const name of ["jobs", "units", "machineMs"] as const) {
      this.#selected[name] += selected[name];
      this.#everything[name] += everything[name];
    }
  }

  sum(): Savings {
    const saved = (name: keyof Workload) => {
      const everything = this.#everything[name];
      const selected = this.#selected[name];
      return { everything, selected, saved: everything - selected };
    };
    return {
      plans: this.#plans,
      jobs: saved("jobs"),
      units: saved("units"),
      machineMs: saved("machineMs"),
    };
  }
}

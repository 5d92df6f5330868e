import type { DeliveryEvent } from "./event.js";

/** Members that many events repeat. Titles and keys are seldom the same. */
const REPEATED = [
  "repository",
  "branch",
  "base",
  "sha",
  "head",
  "workflow",
  "path",
  "event",
  "author",
  "reviewer",
] as const;

/** Holds one copy of each text that events repeat. A store of millions of events would hold each name as often otherwise. */
export class SharedText {
  readonly #pool = new Map<string, string>();

  /** Puts the shared copies into an event that was just read. */
  into(event: DeliveryEvent): void {
    const members = event as unknown as Record<string, unknown>;
    for (const name of REPEATED) {
      const value = members[name];
      if (typeof value === "string") members[name] = this.#of(value);
    }
    if (event.kind !== "run-completed") return;
    for (const job of event.jobs as unknown as { name: string }[])
      job.name = this.#of(job.name);
  }

  #of(text: string): string {
    const known = this.#pool.get(text);
    if (known !== undefined) return known;
    this.#pool.set(text, text);
    return text;
  }
}

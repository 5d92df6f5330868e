import type { DeliveryEvent } from "./event.js";

/** Members with values that many events share. Titles and keys are rarely equal. */
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

/**
 * A pool with one copy of each text that events repeat. Without it, a store of millions of events would contain each
 * name that often.
 */
export class SharedText {
  readonly #pool = new Map<string, string>();

  /** Replaces texts of an event that was just read by the shared copies. */
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

import type { DeliveryEvent } from "../event.js";

/**
 * Events about one change side by side: its pull request's, its pushes', its runs', in the order given. Numbers, commits and branches
 * repeat there, and times are near one another. Which ones belong together is guessed, and matters to a block's size alone.
 */
export function byThread(
  events: readonly DeliveryEvent[],
): readonly DeliveryEvent[] {
  const threadOf = new Map<string, DeliveryEvent[]>();
  const threads: DeliveryEvent[][] = [];
  for (const event of events) {
    const keys = keysOf(event);
    let thread = keys
      .map((key) => threadOf.get(key))
      .find((each) => each !== undefined);
    if (!thread) threads.push((thread = []));
    thread.push(event);
    for (const key of keys) if (!threadOf.has(key)) threadOf.set(key, thread);
  }
  return threads.flat();
}

/** What an event names, the surest first. */
function keysOf(event: DeliveryEvent): readonly string[] {
  const keys: string[] = [];
  const { repository } = event;
  const add = (kind: string, value: string | number | null) => {
    if (value !== null) keys.push(`${kind} ${repository} ${value}`);
  };
  if ("pull" in event) add("pull", event.pull);
  if ("head" in event) add("sha", event.head);
  if ("sha" in event) add("sha", event.sha);
  if ("run" in event) add("run", event.run);
  if ("branch" in event) add("branch", event.branch);
  return keys;
}

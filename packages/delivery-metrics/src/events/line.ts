import type { DeliveryEvent, EventKind } from "./event.js";
import { ownFields } from "./event-fields.js";
import { instant, repository } from "./field.js";
import { readJobs, writeJobs } from "./job-columns.js";

/** The version of lines with one event. Lines of later versions are not read. */
export const LINE_VERSION = 1;

/** Formats an event as a line of NDJSON, including its newline. */
export function formatEvent(event: DeliveryEvent): string {
  const line: Record<string, unknown> = {
    v: LINE_VERSION,
    kind: event.kind,
    at: instant.write(event.at),
    repository: event.repository,
  };
  Object.assign(line, ownFields(event.kind).write(event));
  if (event.kind === "run-completed")
    line["jobs"] = writeJobs(event.jobs, event.started);
  return `${JSON.stringify(line)}\n`;
}

/** Reads an event of a kind from the members of its line. @throws {NoField} if a member isn't valid for its field */
export function readEvent(
  kind: EventKind,
  wire: Readonly<Record<string, unknown>>,
): DeliveryEvent {
  // Each event is one object, which is filled in place, because there may be a hundred thousand of them.
  const event = Object.assign(ownFields(kind).read(wire), {
    kind,
    at: instant.read(wire["at"]),
    repository: repository.read(wire["repository"]),
  }) as DeliveryEvent;
  return event.kind === "run-completed"
    ? Object.assign(event, { jobs: readJobs(wire["jobs"], event.started) })
    : event;
}

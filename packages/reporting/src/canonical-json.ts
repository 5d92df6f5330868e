import { isRecord } from "./is-record.js";

/** Returns JSON with sorted members, so that equal values result in equal text. Undefined members are omitted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(
          Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : member,
  );
}

import { createHash } from "node:crypto";
import { isRecord } from "@skein/reporting/is-record";

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

/** Returns a hash of a value: 32 hexadecimal digits of the SHA-256 of its canonical JSON. */
export function hashOf(value: unknown): string {
  return createHash("sha256")
    .update(canonicalJson(value))
    .digest("hex")
    .slice(0, 32);
}

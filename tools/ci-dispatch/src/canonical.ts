import { createHash } from "node:crypto";
import { canonicalJson } from "@skein/reporting/canonical-json";

/** Returns a hash of a value: 32 hexadecimal digits of the SHA-256 of its canonical JSON. */
export function hashOf(value: unknown): string {
  return createHash("sha256")
    .update(canonicalJson(value))
    .digest("hex")
    .slice(0, 32);
}

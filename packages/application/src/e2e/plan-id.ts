import { createHash } from "node:crypto";

/** Returns JSON with members sorted by name. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(
          Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : member,
  );

/** Returns the id of a plan with this content: the hash of its canonical JSON. */
export function planIdOf(content: unknown): string {
  const hash = createHash("sha256").update(canonical(content)).digest("hex");
  return hash.slice(0, 32);
}

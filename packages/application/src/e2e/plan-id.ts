import { createHash } from "node:crypto";

/** JSON whose members stand in order of name. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(
          Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : member,
  );

/** Returns the id that a plan of this content has: the hash of its canonical JSON, as far as a plan shows it. */
export function planIdOf(content: unknown): string {
  const hash = createHash("sha256").update(canonical(content)).digest("hex");
  return hash.slice(0, 32);
}

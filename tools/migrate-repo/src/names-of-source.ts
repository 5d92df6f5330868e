import type { Plan } from "./plan.js";

/** How commits name the source: no credentials, and no path of one machine. */
export function nameOf({ source }: Pick<Plan, "source">): string {
  if (source.slug !== undefined) return source.slug;
  if (source.kind === "url" && !source.shown.startsWith("file:"))
    return source.shown;
  return source.shown.replace(/\/+$/, "").replace(/^.*\//, "");
}

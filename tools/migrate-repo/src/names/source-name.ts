import type { SourceAddress } from "../migration.js";

/** Returns how commits name the source: no credentials, and no path of one machine. */
export function nameOf({ source }: { readonly source: SourceAddress }): string {
  if (source.slug !== undefined) return source.slug;
  if (source.kind === "url" && !source.shown.startsWith("file:"))
    return source.shown;
  return source.shown.replace(/\/+$/, "").replace(/^.*\//, "");
}

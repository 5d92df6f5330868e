import type { SourceAddress } from "../migration.js";

/** Returns the source's name in commits, without credentials and without local paths. */
export function nameOf({ source }: { readonly source: SourceAddress }): string {
  if (source.slug !== undefined) return source.slug;
  if (source.kind === "url" && !source.shown.startsWith("file:"))
    return source.shown;
  return source.shown.replace(/\/+$/, "").replace(/^.*\//, "");
}

import { recordOf } from "@skein/reporting/json-fields";
import type { ManifestText } from "./problems.js";
import { fieldsIn } from "./manifest-fields.js";

/** Peers are excluded: their ranges are wide, and describe what others may install. */
const FIELDS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
] as const;
type Field = (typeof FIELDS)[number];

/** The style in which a project writes the range of one of its own packages. */
type Style =
  | { readonly kind: "word"; readonly range: string }
  | {
      readonly kind: "version";
      /** The part before the version: `^`, `workspace:~` or nothing. */
      readonly prefix: string;
    };

/** Yarn's default: the range that `yarn add` writes for a workspace. */
const YARNS = { kind: "word", range: "workspace:^" } as const;

/**
 * Returns the range with which a manifest should declare one of the project's packages: the style that is most frequent in
 * the same field, else in the same manifest, else in the whole project, else Yarn's default.
 * @param to the package to declare
 * @param field the field that gets the entry
 * @param from the package whose manifest gets the entry
 * @param manifests the workspaces' manifests, by workspace name
 */
export function rangeFor(
  to: string,
  field: Field,
  from: ManifestText | undefined,
  manifests: ReadonlyMap<string, ManifestText>,
): string {
  const version = fieldsIn(manifests.get(to))["version"];
  const style: Style =
    (from && commonStyle([from], manifests, [field])) ??
    (from && commonStyle([from], manifests, FIELDS)) ??
    commonStyle(manifests.values(), manifests, FIELDS) ??
    YARNS;
  if (style.kind === "word") return style.range;
  return typeof version === "string" && version !== ""
    ? `${style.prefix}${version}`
    : YARNS.range;
}

function commonStyle(
  among: Iterable<ManifestText>,
  manifests: ReadonlyMap<string, ManifestText>,
  fields: readonly Field[],
): Style | undefined {
  const counts = new Map<string, { readonly style: Style; count: number }>();
  for (const manifest of among)
    for (const range of rangesOf(manifest, manifests, fields)) {
      const style = styleOf(range);
      if (!style) continue;
      const key = JSON.stringify(style);
      const known = counts.get(key);
      if (known) known.count++;
      else counts.set(key, { style, count: 1 });
    }
  let best: { readonly style: Style; readonly count: number } | undefined;
  for (const each of counts.values())
    if (!best || each.count > best.count) best = each;
  return best?.style;
}

function rangesOf(
  manifest: ManifestText,
  manifests: ReadonlyMap<string, ManifestText>,
  fields: readonly Field[],
): string[] {
  return fields.flatMap((field) =>
    Object.entries(recordOf(fieldsIn(manifest)[field])).flatMap(
      ([name, range]) =>
        manifests.has(name) && typeof range === "string" ? [range] : [],
    ),
  );
}

function styleOf(range: string): Style | undefined {
  if (/^(?:workspace:)?[\^~*]$/.test(range)) return { kind: "word", range };
  const prefix = /^((?:workspace:)?[\^~]?)\d+\.\d+\.\d+/.exec(range)?.[1];
  return prefix === undefined ? undefined : { kind: "version", prefix };
}

import type { PublishedPackage } from "../events/event.js";

/** A name that npm would take; anything else that stands in a title or a tag is no package. */
const PACKAGE = /^(?:@[\w.~-]{1,100}\/)?[\w~-][\w.~-]{0,100}$/;
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]{1,100})?$/;

/**
 * Reads a text by its form: `v{version}`, `{package}@{version}`, `Bump {package} to {version}`. Pure.
 * @returns what stands where the form has its braces; undefined where the text is of another form
 */
export function readForm(
  form: string,
  text: string,
): Readonly<Partial<Record<"package" | "version", string>>> | undefined {
  const pattern = form
    .replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace("{package}", "(?<package>@[^\\s/@]+/[^\\s/@]+?|[^\\s/@]+?)")
    .replace("{version}", "(?<version>\\d[^\\s]*)");
  const found = new RegExp(`^${pattern}$`).exec(text);
  return found ? (found.groups ?? {}) : undefined;
}

/**
 * Returns a package and its version, as somebody has written them: `v1.2.0`, `^1.2.0`. A version that is no whole one
 * (`4`, `1.x`) is not
 * known.
 * @returns undefined for what is no package's name
 */
export function writtenPackage(
  name: string,
  version: string | undefined,
): PublishedPackage | undefined {
  if (!PACKAGE.test(name)) return undefined;
  const bare = version?.replace(/^[v^~=]+/, "") ?? "";
  return { name, version: VERSION.test(bare) ? bare : null };
}

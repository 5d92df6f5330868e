import type { PublishedPackage } from "../events/event.js";

/** A valid npm package name. Other text in a title or a tag isn't a package. */
const PACKAGE = /^(?:@[\w.~-]{1,100}\/)?[\w~-][\w.~-]{0,100}$/;
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]{1,100})?$/;

/**
 * Parses a text by its form: `v{version}`, `{package}@{version}`, `Bump {package} to {version}`. Pure.
 * @returns the values of the placeholders; undefined if the text has another form
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
 * Returns a package and its version, as written by people and programs: `v1.2.0`, `^1.2.0`. An incomplete version (`4`,
 * `1.x`) becomes null.
 * @returns undefined if the name isn't a package name
 */
export function writtenPackage(
  name: string,
  version: string | undefined,
): PublishedPackage | undefined {
  if (!PACKAGE.test(name)) return undefined;
  const bare = version?.replace(/^[v^~=]+/, "") ?? "";
  return { name, version: VERSION.test(bare) ? bare : null };
}

import type { Placement } from "../migration.js";

/** npm's rule for new names (validate-npm-package-name), but with upper case, because old packages have it. */
const PACKAGE_NAME =
  /^(?:@[A-Za-z0-9~-][A-Za-z0-9._~-]*\/)?[A-Za-z0-9~-][A-Za-z0-9._~-]*$/;

/** Returns whether a text can be a package's name. Such a name is safe in a path, a ref or a command line. */
export function isPackageName(name: string): boolean {
  return (
    PACKAGE_NAME.test(name) &&
    !name.startsWith("-") &&
    name.length <= 214 &&
    name !== "node_modules"
  );
}

/** Removes the scope: `@scope/name` -> `name`. */
export function unscoped(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}

/**
 * Returns the prefix of a migration's refs: `refs/migrate/<name>`. Characters that a ref must not contain are
 * percent-encoded (git-check-ref-format(1)).
 */
export function migrationRefs(name: string): string {
  const safe = name
    .replace(/[^A-Za-z0-9@/_.-]/g, encode)
    .replace(/\.(?=\.|$)|\.(?=lock$|lock\/)/g, encode);
  return `refs/migrate/${safe}`;
}

function encode(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Why a path can't be a destination. */
export type DestinationFault =
  | "empty"
  | "absolute"
  | "dot-dot"
  | "git-folder"
  | "control-characters"
  | "backslash"
  | "windows-name"
  | "node-modules";

/**
 * Checks the text of a destination, before any file is read. Names that Windows reads as other names (`git~1`, a final
 * dot or space, `con`, a colon) are refused on every system, because a repository is cloned on all of them.
 */
export function faultOfDestination(path: string): DestinationFault | undefined {
  if (path === "" || path === ".") return "empty";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "absolute";
  if (path.includes("\\")) return "backslash";
  if (/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u.test(path)) return "control-characters";
  for (const part of path.split("/")) {
    if (part === "" || part === "." || part === "..") return "dot-dot";
    if (/^\.git$|^git~\d+$/i.test(part.replace(/[. ]+$/, "")))
      return "git-folder";
    if (part === "node_modules") return "node-modules";
    if (
      /[. ]$|[<>:"|?*]/.test(part) ||
      /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(part)
    )
      return "windows-name";
  }
  return undefined;
}

/**
 * Returns the destination of each folder of the source. The whole repository goes to `--to`, or `packages/<name>`, and
 * so does a single chosen path. Each of several paths goes to a folder of its own name below `--to` (`packages`), or to
 * its `DESTINATION` in `PATH=DESTINATION`.
 * @param name the package's name
 */
export function placementsOf(
  only: readonly string[],
  to: string | undefined,
  name: string,
): readonly Placement[] {
  const given = to?.replace(/\/+$/, "");
  if (only.length === 0)
    return [{ from: "", to: given ?? `packages/${unscoped(name)}` }];
  return only.map((text) => {
    const cut = text.indexOf("=");
    const from = trimPath(cut < 0 ? text : text.slice(0, cut));
    if (cut >= 0) return { from, to: trimPath(text.slice(cut + 1)) };
    if (only.length === 1)
      return { from, to: given ?? `packages/${unscoped(name)}` };
    const base = from.slice(from.lastIndexOf("/") + 1);
    return { from, to: `${given ?? "packages"}/${base}` };
  });
}

/** Returns the source folder whose package.json has the migration's name. */
export function mainFolder(only: readonly string[]): string {
  return trimPath((only[0] ?? "").split("=")[0] ?? "");
}

function trimPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
}

/**
 * Returns a tag's name in the target.
 * @param format `{name}`, `{tag}`, and `{version}`: the tag without the `v` before a digit
 */
export function tagName(format: string, name: string, tag: string): string {
  // A repository of many packages often has tags of this form already.
  if (tag.startsWith(`${name}@`)) return tag;
  return format
    .replaceAll("{name}", name)
    .replaceAll("{tag}", tag)
    .replaceAll("{version}", tag.replace(/^v(?=\d)/, ""));
}

/** Returns a branch's name in the target, with the main destination's folder as its prefix. */
export function branchRef(
  placements: readonly Placement[],
  name: string,
): string {
  const to = placements[0]?.to ?? "";
  return `refs/heads/${to.slice(to.lastIndexOf("/") + 1)}/${name}`;
}

/** One output of a script. Its path is relative to the package's folder, with `/` between the parts. */
export type OutputItem =
  | {
      readonly kind: "file";
      readonly path: string;
      /** Permissions, 0 to 0o777. */
      readonly mode: number;
      readonly bytes: number;
      /** SHA-256 of the content, hexadecimal. */
      readonly hash: string;
    }
  | {
      readonly kind: "link";
      readonly path: string;
      /** The target as readlink(2) returns it. */
      readonly target: string;
    }
  /** An empty folder. */
  | { readonly kind: "folder"; readonly path: string };

/** Folders that are never outputs: an output there could replace installed programs or git's hooks. */
const FORBIDDEN = new Set(["node_modules", ".git"]);

/** Returns whether a part of a path isn't allowed in outputs. It ignores case, as some file systems do. */
export function isForbidden(part: string): boolean {
  return FORBIDDEN.has(part.toLowerCase());
}

/**
 * Returns why a manifest may not be cached or restored; undefined if it is safe. Pure. A safe manifest writes only
 * below the package's folder, whatever links it contains: no path leads through one of its links, and no link's target
 * is outside.
 */
export function manifestRefusal(
  items: readonly (Partial<OutputItem> | null)[],
): string | undefined {
  const kinds = new Map<string, OutputItem["kind"]>();
  for (const item of items) {
    if (item === null) return "an item is missing";
    const refusal = itemRefusal(item);
    if (refusal !== undefined) return refusal;
    const { path, kind } = item as OutputItem;
    if (kinds.has(path)) return `${path} is listed twice`;
    kinds.set(path, kind);
  }
  for (const path of kinds.keys())
    for (const parent of parentsOf(path))
      if (kinds.has(parent))
        return `${path} is below ${parent}, which is not a folder`;
  return undefined;
}

/** Returns the folders above a path, the nearest last: `a`, `a/b` for `a/b/c`. */
export function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

function itemRefusal(item: Partial<OutputItem>): string | undefined {
  const { path } = item;
  if (typeof path !== "string" || !isInside(path))
    return `${String(path)} is not a path in the package`;
  if (item.kind === "file") return fileRefusal(item);
  if (item.kind === "link")
    return typeof item.target === "string" && staysInside(path, item.target)
      ? undefined
      : `the symlink ${path} leaves the package`;
  return item.kind === "folder" ? undefined : `${path} is of an unknown kind`;
}

function fileRefusal({
  path = "",
  mode = -1,
  bytes = -1,
  hash = "",
}: Partial<Extract<OutputItem, { kind: "file" }>>): string | undefined {
  if (!Number.isInteger(mode) || mode < 0 || mode > 0o777)
    return `${path} has more than plain permissions (setuid, setgid or sticky)`;
  return Number.isInteger(bytes) && bytes >= 0 && /^[0-9a-f]{64}$/.test(hash)
    ? undefined
    : `${path} has no valid size or hash`;
}

function isInside(path: string): boolean {
  return path
    .split("/")
    .every(
      (part) =>
        part !== "" &&
        part !== "." &&
        part !== ".." &&
        !isForbidden(part) &&
        !/[\\\0:]/.test(part),
    );
}

/**
 * Returns whether a link's target is in the package. `..` is only accepted at the beginning: after a name that is
 * itself a link, `..` would lead elsewhere than it seems.
 */
function staysInside(path: string, target: string): boolean {
  const parts = target.split("/").filter((part) => part !== ".");
  if (target === "" || target.startsWith("/") || /[\\\0:]/.test(target))
    return false;
  const up = parts.findIndex((part) => part !== "..");
  const above = up === -1 ? parts.length : up;
  const names = parts.slice(above);
  const depth = path.split("/").length - 1;
  return above <= depth && !names.includes("..") && !names.some(isForbidden);
}

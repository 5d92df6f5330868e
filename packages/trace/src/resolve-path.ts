/** Returns the target of a symlink, as it is written there; undefined if the path isn't a symlink or doesn't exist. */
export type ReadLink = (path: string) => string | undefined;

/** A path without symlinks. */
export interface ResolvedPath {
  readonly path: string;
  /** The symlinks that it led through. */
  readonly links: readonly string[];
}

/** The number of links that Linux follows in one path (MAXSYMLINKS in the kernel's namei.h). */
const MOST_LINKS = 40;

/**
 * Resolves absolute paths as Linux does, one component after the other, whether or not the name exists. It caches
 * folders.
 */
export class PathResolver {
  private readonly readLink: ReadLink;
  private readonly known = new Map<string, ResolvedPath>();
  /** The targets of symlinks that the recorded script made. They may be gone when their recording is read. */
  private readonly made = new Map<string, string>();

  constructor(readLink: ReadLink) {
    this.readLink = (path) => this.made.get(path) ?? readLink(path);
  }

  /** Adds a symlink. @param path absolute, without symlinks */
  add(path: string, target: string): void {
    this.made.set(path, target);
    this.known.clear();
  }

  /** Removes a symlink that was added; any other path has no effect. */
  remove(path: string): void {
    if (this.made.delete(path)) this.known.clear();
  }

  /**
   * @param path absolute, with any `.`, `..` and symlinks
   * @param followLast whether to follow a symlink at its end; `lstat`, `readlink` and `unlink` don't
   */
  resolve(path: string, followLast = true): ResolvedPath {
    const key = followLast ? path : `${path}\0`;
    const known = this.known.get(key);
    if (known) return known;
    const resolved = this.walk(path, followLast);
    this.known.set(key, resolved);
    return resolved;
  }

  private walk(path: string, followLast: boolean): ResolvedPath {
    const slash = path.lastIndexOf("/");
    if (slash > 0 && followLast) {
      // Most files of a folder are resolved one after the other, so the folder is usually cached.
      const above = this.resolve(path.slice(0, slash));
      const name = path.slice(slash + 1);
      if (name !== "" && name !== "." && name !== "..") {
        const whole = join(above.path, name);
        const target = this.readLink(whole);
        if (target === undefined) return { path: whole, links: above.links };
      }
    }
    return this.walkAll(path, followLast);
  }

  private walkAll(path: string, followLast: boolean): ResolvedPath {
    const links: string[] = [];
    const left = path.split("/").reverse();
    let at = "/";
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      if (name === "" || name === ".") continue;
      if (name === "..") {
        at = at.slice(0, Math.max(1, at.lastIndexOf("/")));
        continue;
      }
      const next = join(at, name);
      const isLast = left.every((part) => part === "" || part === ".");
      const target = isLast && !followLast ? undefined : this.readLink(next);
      if (target === undefined || links.length >= MOST_LINKS) {
        at = next;
        continue;
      }
      links.push(next);
      if (target.startsWith("/")) at = "/";
      left.push(...target.split("/").reverse());
    }
    return { path: at, links };
  }
}

function join(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

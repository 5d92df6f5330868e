/** A dependency as in yarn.lock: `["chalk", "npm:^4.1.2"]`. */
export type LockDependency = readonly [ident: string, range: string];

/**
 * An entry of yarn.lock: its descriptors, and the package that they resolve to. If one lockfile was parsed with
 * another, both share their equal entries. So the same object means the same entry, but different objects may be equal
 * too.
 */
export interface LockEntry {
  /** The descriptors as written in the file. */
  readonly key: string;
  /** All descriptors with this resolution, such as `chalk@npm:^4.1.2`. */
  readonly descriptors: readonly string[];
  /** The locator: `chalk@npm:4.1.2`, `@m/core@workspace:packages/core`. Unique in a lockfile. */
  readonly resolution: string;
  /** For a workspace this list contains its dependencies, devDependencies and optionalDependencies. */
  readonly dependencies: readonly LockDependency[];
  readonly peerDependencies: readonly LockDependency[];
  /** The text of the entry, including the checksum. Two entries with the same text are the same package. */
  readonly text: string;
}

/** A parsed yarn.lock. */
export interface Lockfile {
  readonly entries: readonly LockEntry[];
  /** Whether Yarn 1 or Yarn 6 wrote it. Workspaces, aliases, patches and local folders are then only in manifests. */
  readonly leavesOutWorkspaces?: true;
  /** Whether Yarn 1 wrote it. Peer dependencies are then nowhere in the project. */
  readonly leavesOutPeers?: true;
  /** The lockfile as written, if the entries were completed from manifests. */
  readonly written?: Lockfile;
}

/** An error for a yarn.lock that cannot be read, with its kind and line. */
export class LockfileError extends Error {
  override readonly name = "LockfileError";
  readonly kind: "yarn-1" | "conflict" | "syntax";
  /** The line, 1-based. */
  readonly line: number;

  constructor(kind: LockfileError["kind"], line: number) {
    super(`yarn.lock, line ${line}: ${kind}`);
    this.kind = kind;
    this.line = line;
  }
}

/** Returns the ident of a descriptor or locator: `@m/core` of `@m/core@workspace:^`. */
export function identOf(descriptor: string): string {
  const at = descriptor.indexOf("@", 1);
  return at < 0 ? descriptor : descriptor.slice(0, at);
}

/** Returns the part after the ident: `workspace:^` of `@m/core@workspace:^`. */
export function rangeOf(descriptor: string): string {
  const at = descriptor.indexOf("@", 1);
  return at < 0 ? "" : descriptor.slice(at + 1);
}

/**
 * Returns the folder of a workspace's locator (`packages/core` of `@m/core@workspace:packages/core`), undefined for
 * others.
 */
export function workspaceDirOf(resolution: string): string | undefined {
  const range = resolution.indexOf("@", 1) + 1;
  return range > 0 && resolution.startsWith(WORKSPACE, range)
    ? resolution.slice(range + WORKSPACE.length)
    : undefined;
}

const WORKSPACE = "workspace:";

/** Decodes a percent-encoded part of a descriptor or locator. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone `%` isn't an encoding.
  }
}

/** Returns Yarn's locator of a workspace. */
export function locatorOf({
  name,
  dir,
}: {
  readonly name: string;
  readonly dir: string;
}): string {
  return `${name}@workspace:${dir}`;
}

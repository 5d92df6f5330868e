/** A dependency as yarn.lock spells it: `["chalk", "npm:^4.1.2"]`. */
export type LockDependency = readonly [ident: string, range: string];

/**
 * One entry of yarn.lock: the descriptors it answers, and the package they resolve to. Lockfiles that were parsed one
 * after the other share the entries that both have, so the same object means the same entry; different objects may too.
 */
export interface LockEntry {
  /** The descriptors as the file spells them. */
  readonly key: string;
  /** `chalk@npm:^4.1.2`, as many as share the resolution. */
  readonly descriptors: readonly string[];
  /** The locator: `chalk@npm:4.1.2`, `@m/core@workspace:packages/core`. Unique in a lockfile. */
  readonly resolution: string;
  /** For a workspace these are its dependencies, devDependencies and optionalDependencies in one. */
  readonly dependencies: readonly LockDependency[];
  readonly peerDependencies: readonly LockDependency[];
  /** Everything the entry says, checksum included; two entries with the same text are the same package. */
  readonly text: string;
}

/** A parsed yarn.lock (Yarn 2 and later). */
export interface Lockfile {
  readonly entries: readonly LockEntry[];
  /** As Yarn 6 writes it: workspaces, aliases, patches and local folders are only in manifests. */
  readonly leavesOutWorkspaces?: true;
  /** What the file itself holds, where the entries were completed from manifests. */
  readonly written?: Lockfile;
}

/** yarn.lock cannot be read: where, and why. */
export class LockfileError extends Error {
  override readonly name = "LockfileError";
  readonly kind: "yarn-1" | "conflict" | "syntax";
  /** 1-based line. */
  readonly line: number;

  constructor(kind: LockfileError["kind"], line: number) {
    super(`yarn.lock, line ${line}: ${kind}`);
    this.kind = kind;
    this.line = line;
  }
}

/** The ident of a descriptor or locator: `@m/core` of `@m/core@workspace:^`. */
export function identOf(descriptor: string): string {
  const at = descriptor.indexOf("@", 1);
  return at < 0 ? descriptor : descriptor.slice(0, at);
}

/** What follows the ident: `workspace:^` of `@m/core@workspace:^`. */
export function rangeOf(descriptor: string): string {
  const at = descriptor.indexOf("@", 1);
  return at < 0 ? "" : descriptor.slice(at + 1);
}

/** The folder of a workspace's locator (`packages/core` of `@m/core@workspace:packages/core`), undefined for others. */
export function workspaceDirOf(resolution: string): string | undefined {
  const range = resolution.indexOf("@", 1) + 1;
  return range > 0 && resolution.startsWith(WORKSPACE, range)
    ? resolution.slice(range + WORKSPACE.length)
    : undefined;
}

const WORKSPACE = "workspace:";

/** What is percent-encoded in a descriptor or locator. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone `%`: it stands for itself.
  }
}

import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { Announcement } from "./announcement.js";

/** How a bundle begins (gitformat-bundle(5)). */
const HEADER = /^# v[23] git bundle\n/;

/** Returns whether a path is a file that `git bundle` made. */
export async function isBundle(path: string): Promise<boolean> {
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isFile) return false;
  const file = await open(path);
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(16) });
    return HEADER.test(buffer.toString("latin1"));
  } finally {
    await file.close();
  }
}

/** Returns whether a source is a bundle. Addresses of records name it as they name a folder. */
export async function isBundleSource({
  kind,
  fetchFrom,
}: SourceAddress): Promise<boolean> {
  return kind === "folder" && (await isBundle(fetchFrom));
}

/**
 * Unpacks a bundle beside the quarantine, for git checks the objects of what it fetches from a repository, and older
 * versions than 2.44 not those of a bundle.
 * @returns the address that git fetches from: the source's own where it is no bundle
 * @throws {GitError} when the bundle is cut off, or needs commits that it does not hold
 */
export async function fetchableAddress(
  { git, scratch }: Pick<Quarantine, "git" | "scratch">,
  address: SourceAddress,
): Promise<string> {
  if (!(await isBundleSource(address))) return address.fetchFrom;
  const dir = join(scratch, "bundle.git");
  const isThere = await stat(dir).then(
    () => true,
    () => false,
  );
  if (!isThere)
    await git.run(
      [
        ...["clone", "--quiet", "--mirror", "--template=", "--"],
        ...[address.fetchFrom, dir],
      ],
      { env: { GIT_DIR: dir } },
    );
  return dir;
}

/**
 * Returns the main branch of a bundle, which holds HEAD's commit at most, and not which branch it is: the one at that commit,
 * or the only one; undefined where that does not tell.
 * @param listed what `git ls-remote` wrote
 */
export function mainBranchOfBundle(
  listed: string,
  { branches }: Pick<Announcement, "branches">,
): string | undefined {
  const head = /^([0-9a-f]+)\tHEAD$/m.exec(listed)?.[1];
  const atHead = branches.filter(({ id }) => head === undefined || id === head);
  const [only, second] = atHead;
  if (only && !second) return only.name;
  return ["main", "master"].find((name) =>
    atHead.some((branch) => branch.name === name),
  );
}

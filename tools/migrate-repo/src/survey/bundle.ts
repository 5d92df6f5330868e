import { existsSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { Announcement } from "./announcement.js";

/** The first line of a bundle (gitformat-bundle(5)). */
const HEADER = /^# v[23] git bundle\n/;

/** Returns whether a path is a file from `git bundle`. */
export async function isBundle(path: string): Promise<boolean> {
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isFile) return false;
  await using file = await open(path);
  const { buffer } = await file.read({ buffer: Buffer.alloc(16) });
  return HEADER.test(buffer.toString("latin1"));
}

/** Returns whether a source is a bundle. Records store the address of a bundle like that of a folder. */
export async function isBundleSource({
  kind,
  fetchFrom,
}: SourceAddress): Promise<boolean> {
  return kind === "folder" && (await isBundle(fetchFrom));
}

/**
 * Unpacks a bundle in the quarantine's scratch folder. Git checks the objects that it fetches from a repository, but
 * versions before 2.44 don't check those of a bundle.
 * @returns the address for git fetch; the source's own if it isn't a bundle
 * @throws {GitError} if the bundle is truncated, or requires commits that it doesn't hold
 */
export async function fetchableAddress(
  { git, scratch }: Pick<Quarantine, "git" | "scratch">,
  address: SourceAddress,
): Promise<string> {
  if (!(await isBundleSource(address))) return address.fetchFrom;
  const dir = join(scratch, "bundle.git");
  if (!existsSync(dir))
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
 * Returns the main branch of a bundle. A bundle may hold HEAD's commit, but not the name of its branch. The main branch
 * is the only branch at that commit, or `main` or `master` there; undefined if there is neither.
 * @param listed the output of `git ls-remote`
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

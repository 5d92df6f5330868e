import { readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GitError, openGit, withoutRepository, type Git } from "@skein/git";
import type { SourceAddress, SourceRef } from "../migration.js";
import { isBundleSource, mainBranchOfBundle } from "./bundle.js";

/** The refs that a source announces before a fetch. */
export interface Announcement {
  /** The branch that its HEAD names; undefined if HEAD is detached or the branch has no commit. */
  readonly defaultBranch: string | undefined;
  readonly branches: readonly SourceRef[];
  readonly tags: readonly SourceRef[];
  readonly objectFormat: "sha1" | "sha256";
}

/** A source that git can't reach or read, with git's own message. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly shown: string;
  readonly gitMessage: string;

  constructor(shown: string, gitMessage: string) {
    super(`cannot read ${shown}: ${gitMessage}`);
    this.shown = shown;
    this.gitMessage = gitMessage;
  }
}

/** Lists the refs of the source. @throws {SourceError} */
export async function announce(
  git: Git,
  address: SourceAddress,
): Promise<Announcement> {
  const ask = async (...args: string[]) => {
    try {
      const { stdout } = await git.run(["ls-remote", ...args]);
      return stdout.toString("utf8");
    } catch (error) {
      if (error instanceof GitError)
        throw new SourceError(address.shown, error.stderr.trim());
      throw error;
    }
  };
  // For a folder, git reads all refs anyway.
  if (address.kind === "folder") {
    const all = await ask("--symref", "--", address.fetchFrom);
    const announcement = parseAnnouncement(all, all);
    return announcement.defaultBranch === undefined &&
      (await isBundleSource(address))
      ? {
          ...announcement,
          defaultBranch: mainBranchOfBundle(all, announcement),
        }
      : announcement;
  }
  // This takes two commands, because --heads and --tags omit HEAD, and a list of everything includes all pull requests.
  const [head, refs] = await Promise.all([
    ask("--symref", "--", address.fetchFrom, "HEAD"),
    ask("--heads", "--tags", "--", address.fetchFrom),
  ]);
  return parseAnnouncement(head, refs);
}

/** Parses the two answers of `ls-remote`, which may be the same. An id of 64 digits means SHA-256. */
export function parseAnnouncement(head: string, refs: string): Announcement {
  const branches: SourceRef[] = [];
  const tags = new Map<string, SourceRef>();
  for (const line of refs.split("\n")) {
    const [id = "", ref = ""] = line.split("\t");
    // `--symref` also prints the targets of symbolic refs.
    if (id.startsWith("ref: ")) continue;
    if (ref.startsWith("refs/heads/"))
      branches.push({
        name: ref.slice("refs/heads/".length),
        id,
        peeled: undefined,
      });
    if (!ref.startsWith("refs/tags/")) continue;
    const name = ref.slice("refs/tags/".length).replace(/\^\{\}$/, "");
    const known = tags.get(name);
    if (known && ref.endsWith("^{}")) tags.set(name, { ...known, peeled: id });
    else tags.set(name, { name, id, peeled: undefined });
  }
  const named = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(head)?.[1];
  const anyId = branches[0]?.id ?? [...tags.values()][0]?.id ?? "";
  return {
    defaultBranch: branches.some(({ name }) => name === named)
      ? named
      : undefined,
    branches,
    tags: [...tags.values()],
    objectFormat: anyId.length === 64 ? "sha256" : "sha1",
  };
}

/** Facts that are only in the files of a local source. */
export interface LocalSourceFacts {
  readonly shallow: boolean;
  readonly partial: boolean;
  /** The resolved path of its git folder, to recognise a source that is the target. */
  readonly gitDir: string | undefined;
}

/**
 * Reads the files of a local source's git folder. Git never runs inside it, because its config and hooks could start
 * other people's programs.
 * @returns undefined for a source on another machine
 */
export async function surveyLocalSource(
  address: SourceAddress,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LocalSourceFacts | undefined> {
  const folder = localFolder(address);
  if (folder === undefined) return undefined;
  const gitDir = await findGitDir(folder);
  if (gitDir === undefined)
    return { shallow: false, partial: false, gitDir: undefined };
  const shallow = await stat(join(gitDir, "shallow")).then(
    (stats) => stats.size > 0,
    () => false,
  );
  const config = join(gitDir, "config");
  const text = await readFile(config, "latin1").catch(() => "");
  if (!/promisor|partialclone/i.test(text))
    return { shallow, partial: false, gitDir };
  const outside = openGit({ cwd: "/", env: withoutRepository(env) });
  // --file reads only that file and follows no include.
  const { stdout } = await outside.run(
    [
      "config",
      "--file",
      config,
      "--get-regexp",
      String.raw`^(remote\..*\.promisor|extensions\.partialclone)$`,
    ],
    { answers: [0, 1, 3, 128] },
  );
  return { shallow, partial: stdout.length > 0, gitDir };
}

function localFolder(address: SourceAddress): string | undefined {
  if (address.kind === "folder") return address.fetchFrom;
  if (!address.fetchFrom.toLowerCase().startsWith("file://")) return undefined;
  try {
    return fileURLToPath(address.fetchFrom);
  } catch {
    return undefined; // The URL has a host; git will report what is wrong.
  }
}

/**
 * Finds the git folder: `.git` as a folder, or as a file that points to one (worktrees, submodules), or a bare
 * repository.
 */
async function findGitDir(folder: string): Promise<string | undefined> {
  const dotGit = join(folder, ".git");
  const kind = await stat(dotGit).catch(() => undefined);
  if (kind?.isDirectory()) return realpath(dotGit);
  if (kind?.isFile()) {
    const target = /^gitdir: (.+)$/m.exec(await readFile(dotGit, "utf8"))?.[1];
    if (target === undefined) return undefined;
    return commonDirOf(
      await realpath(join(folder, target)).catch(() => target),
    );
  }
  const bare = await stat(join(folder, "HEAD")).catch(() => undefined);
  return bare?.isFile() ? realpath(folder) : undefined;
}

async function commonDirOf(gitDir: string): Promise<string> {
  const named = await readFile(join(gitDir, "commondir"), "utf8").catch(
    () => undefined,
  );
  return named === undefined
    ? gitDir
    : realpath(join(gitDir, named.trim())).catch(() => gitDir);
}

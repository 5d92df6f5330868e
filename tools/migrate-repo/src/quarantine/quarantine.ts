import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  configEnv,
  openGit,
  openObjects,
  withoutRepository,
  type Git,
} from "@skein/git";
import type { SourceAddress } from "../migration.js";
import { TRANSPORTS } from "../names/source-address.js";
import { settings } from "./settings.js";

/**
 * A separate bare repository that can read the target's objects, and stores new objects only in itself. The source is
 * fetched, rewritten and merged here; the target doesn't change before the landing. Disposal ends the processes and
 * removes the files.
 */
export interface Quarantine extends AsyncDisposable {
  /** Git in the quarantine, with settings that trust no other repository. All readers of its objects share one process. */
  readonly git: Git;
  /** The absolute path of the quarantine's repository. */
  readonly dir: string;
  /** The absolute path of a folder for temporary files. */
  readonly scratch: string;
  /** The absolute path of its object database. */
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
  /**
   * Clones a source before the repository exists, and checks the objects. At its end, `git fetch` walks the whole
   * history to see that nothing is missing. `git clone` skips that if the pack holds everything that its objects refer
   * to, which the check of the objects has already found out.
   * @param args options, and the address
   * @throws {GitError}
   */
  clone(args: readonly string[]): Promise<void>;
  /** Ends the quarantine's processes; its files stay. */
  close(): void;
}

export interface QuarantineOptions {
  /**
   * The folder for the quarantine: the target's git folder, so that objects are moved and not copied. Undefined if
   * nothing will land: then it is a new folder among the system's temporary ones, which only this user may enter.
   */
  readonly parent?: string | undefined;
  readonly target: {
    /** The absolute path of its object database. */
    readonly objects: string;
    readonly objectFormat: "sha1" | "sha256";
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The source, if it may need credentials. */
  readonly address?: SourceAddress;
  /**
   * Whether the source will be cloned into it: git then creates the repository, which doesn't exist before. Default:
   * no.
   */
  readonly forClone?: boolean;
}

const CLONE = [
  "--quiet",
  "--bare",
  "--template=",
  // Don't copy a source's files directly: check each object in the transfer.
  "--no-local",
  // A name that doesn't occur in anybody's settings.
  "--origin=skein-source",
];

/** Creates a quarantine. */
export async function openQuarantine(
  options: QuarantineOptions,
): Promise<Quarantine> {
  const { target } = options;
  const scratch = await makeScratch(options.parent);
  const dir = join(scratch, "repository.git");
  const objects = join(dir, "objects");
  const alternate = quoteAlternate(target.objects);
  const seeTarget = async () => {
    await mkdir(join(objects, "info"), { recursive: true });
    await writeFile(join(objects, "info", "alternates"), `${alternate}\n`);
  };
  await mkdir(dir);
  const git = openGit({ cwd: dir, env: safeEnv(options, dir) });
  if (options.forClone !== true) {
    await git.run([
      "init",
      "--quiet",
      "--bare",
      "--template=",
      `--object-format=${target.objectFormat}`,
      "--initial-branch=none",
    ]);
    await seeTarget();
  }
  // Keeps the shared process alive between its users.
  const objectReader = openObjects(git);
  const close = () => objectReader.close();
  return {
    git,
    dir,
    scratch,
    objects,
    objectFormat: target.objectFormat,
    async clone(args) {
      await git.run(["clone", ...CLONE, ...args, dir], {
        env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate },
      });
      await seeTarget();
    },
    close,
    [Symbol.asyncDispose]: () => {
      close();
      return rm(scratch, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Makes a folder for temporary files. @param parent undefined for the system's */
async function makeScratch(parent: string | undefined): Promise<string> {
  if (parent === undefined) return mkdtemp(join(tmpdir(), "skein-migrate-"));
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, "quarantine-"));
}

/** Returns the environment of git in the quarantine. @param dir the repository */
function safeEnv(
  options: QuarantineOptions,
  dir: string,
): Record<string, string | undefined> {
  const safe = {
    ...withoutRepository(options.env),
    GIT_ALLOW_PROTOCOL: TRANSPORTS.join(":"),
    GIT_NO_REPLACE_OBJECTS: "1",
    // If the source is a partial clone, git must not fetch missing objects from the remotes that it names.
    GIT_NO_LAZY_FETCH: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_DIR: dir,
  };
  const config = { ...settings(), ...credentialSettings(options) };
  return { ...safe, ...configEnv(safe, config) };
}

/** Passes credentials through the environment, because other users can read argument lists and config files. */
function credentialSettings({
  address,
}: QuarantineOptions): Record<string, string> {
  if (address?.credentials === undefined) return {};
  const basic = Buffer.from(address.credentials).toString("base64");
  return {
    [`http.${address.fetchFrom}.extraHeader`]: `Authorization: Basic ${basic}`,
    // The header must not be sent to another host after a redirect.
    "http.followRedirects": "false",
  };
}

/**
 * Quotes a path for `objects/info/alternates`. Git takes a line literally unless it begins with a quote; any quoted
 * path is safe.
 */
function quoteAlternate(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

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
import { TRANSPORTS } from "../names/source-address.js";
import { settings } from "./settings.js";

/**
 * A bare repository of our own, beside the target, that sees the target's objects and keeps its new ones to itself.
 * The source is fetched, rewritten and merged here; the target learns of nothing before the landing.
 */
export interface Quarantine {
  /** Git in the quarantine, with settings that trust nobody. All readers of its objects share one process. */
  readonly git: Git;
  /** The quarantine's repository; absolute. */
  readonly dir: string;
  /** For temporary files; absolute. */
  readonly scratch: string;
  /** Absolute path of its object database. */
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
  /**
   * Clones a source, objects checked, where there is no repository yet. What `git fetch` does at last, a walk through all of
   * the history to see that nothing is missing, git leaves out where the pack that came holds all that its objects name:
   * that is seen while they are checked.
   * @param args options, and the address
   * @throws {GitError}
   */
  clone(args: readonly string[]): Promise<void>;
  /** Ends what runs for it; its files stay. */
  close(): void;
  /** Ends what runs for it and removes its files. */
  remove(): Promise<void>;
}

export interface QuarantineOptions {
  /**
   * Folder the quarantine is made in: the target's git folder, so that objects are moved and not copied. Undefined where
   * nothing lands: then it is a new folder among the system's temporary ones, which only this user may enter.
   */
  readonly parent: string | undefined;
  readonly targetObjects: string;
  readonly objectFormat: "sha1" | "sha256";
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `user:password` for the source, and the URL it is for. */
  readonly credentials?: { readonly url: string; readonly secret: string };
  /** Whether the source will be cloned into it: git makes the repository then, and until then there is none. Default: no. */
  readonly forClone?: boolean;
}

const CLONE = [
  "--quiet",
  "--bare",
  "--template=",
  // A source's files are never taken as they are: each object is checked on its way.
  "--no-local",
  // A name that nobody's settings speak of.
  "--origin=skein-source",
];

/** Makes a quarantine. Its folder goes away with `remove`. */
export async function openQuarantine(
  options: QuarantineOptions,
): Promise<Quarantine> {
  const { parent } = options;
  if (parent !== undefined) await mkdir(parent, { recursive: true });
  const scratch = await mkdtemp(
    parent === undefined
      ? join(tmpdir(), "skein-migrate-")
      : join(parent, "quarantine-"),
  );
  const dir = join(scratch, "repository.git");
  const env = withoutRepository(options.env);
  const objects = join(dir, "objects");
  const alternate = quoteAlternate(options.targetObjects);
  const seeTarget = async () => {
    await mkdir(join(objects, "info"), { recursive: true });
    await writeFile(join(objects, "info", "alternates"), `${alternate}\n`);
  };
  await mkdir(dir);
  const safe = {
    ...env,
    GIT_ALLOW_PROTOCOL: TRANSPORTS.join(":"),
    GIT_NO_REPLACE_OBJECTS: "1",
    // A partial clone as the source must not fetch what it lacks from wherever it says.
    GIT_NO_LAZY_FETCH: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_DIR: dir,
  };
  const git = openGit({
    cwd: dir,
    env: {
      ...safe,
      ...configEnv(safe, { ...settings(), ...credentialSettings(options) }),
    },
  });
  if (options.forClone !== true) {
    await git.run([
      "init",
      "--quiet",
      "--bare",
      "--template=",
      `--object-format=${options.objectFormat}`,
      "--initial-branch=none",
    ]);
    await seeTarget();
  }
  // Held open, so that the process outlives each of its users.
  const objectReader = openObjects(git);
  const close = () => objectReader.close();
  return {
    git,
    dir,
    scratch,
    objects,
    objectFormat: options.objectFormat,
    async clone(args) {
      await git.run(["clone", ...CLONE, ...args, dir], {
        env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate },
      });
      await seeTarget();
    },
    close,
    remove: () => {
      close();
      return rm(scratch, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Credentials go by the environment: argument lists and config files can be read by others. */
function credentialSettings({
  credentials,
}: QuarantineOptions): Record<string, string> {
  if (!credentials) return {};
  const basic = Buffer.from(credentials.secret).toString("base64");
  return {
    [`http.${credentials.url}.extraHeader`]: `Authorization: Basic ${basic}`,
    // The header must not follow a redirect to another host.
    "http.followRedirects": "false",
  };
}

/** A line of `objects/info/alternates` is taken literally unless it begins with a quote; quoted, any path is safe. */
function quoteAlternate(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

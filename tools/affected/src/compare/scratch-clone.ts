import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configEnv, openGit, withoutRepository } from "@skein/git";
import type { Git, Repository } from "@skein/git";
import { Failure, printable } from "@skein/reporting";

/** A repository of its own below the system's temporary folder, in which any commit of the user's can be checked out. */
export interface ScratchClone extends AsyncDisposable {
  /** The top of its working tree, absolute. */
  readonly top: string;
  /** A folder beside it for whatever a program wants to write. */
  readonly scratch: string;
  /** The environment in which git and other programs see this repository alone. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Makes the working tree that of a commit, whatever was there before.
   * @throws {Failure} when git cannot
   */
  checkOut(commit: string): Promise<void>;
}

/** Never committed and never looked at by a program that asks git what is new. */
const IGNORED = ["node_modules", ".turbo", ".nx", "turbo.json", "nx.json"];

/**
 * Makes an empty repository that reads the user's objects and writes its own. Nothing is written to the user's
 * repository: no worktree is registered there, and neither its index, its refs nor its working tree is touched.
 * @param repository the user's
 */
export async function openScratchClone(
  { commonDir, objectFormat, isShallow }: Repository,
  {
    env,
    signal,
  }: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<ScratchClone> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "skein-compare-")));
  const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 3 });
  const top = join(dir, "tree");
  const scratch = join(dir, "scratch");
  const alone = isolated(env, join(dir, "no-hooks"));
  try {
    for (const path of [top, scratch]) await mkdir(path);
    const git = openGit({ cwd: top, env: alone, signal });
    // A template may hold hooks.
    await git.run([
      "init",
      "--quiet",
      "--template=",
      `--object-format=${objectFormat}`,
    ]);
    const gitDir = join(top, ".git");
    for (const path of ["info", "objects/info"])
      await mkdir(join(gitDir, path), { recursive: true });
    await writeFile(
      join(gitDir, "objects/info/alternates"),
      `${join(commonDir, "objects")}\n`,
    );
    await writeFile(join(gitDir, "info/exclude"), `${IGNORED.join("\n")}\n`);
    if (isShallow)
      await copyFile(join(commonDir, "shallow"), join(gitDir, "shallow"));
    return {
      top,
      scratch,
      env: alone,
      checkOut: (commit) => checkOut(git, commit),
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** No hook, no filter that loads large files, no question; only the repository of the folder. */
function isolated(
  env: Readonly<Record<string, string | undefined>>,
  noHooks: string,
): Readonly<Record<string, string | undefined>> {
  const rest = withoutRepository(env);
  return {
    ...rest,
    ...configEnv(rest, { "core.hooksPath": noHooks, "gc.auto": "0" }),
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/**
 * Git writes all files that it has before it fails for those that a partial clone lacks: HEAD tells whether it did. What is
 * lacking must not look deleted to a program that asks git for uncommitted changes.
 */
async function checkOut(git: Git, commit: string): Promise<void> {
  const { exitCode, stderr } = await git.run(
    ["checkout", "--quiet", "--force", "--detach", commit, "--"],
    { answers: [0, 1, 128] },
  );
  if (exitCode === 0) return;
  const { stdout } = await git.run(["rev-parse", "--verify", "HEAD"], {
    answers: [0, 128],
  });
  if (stdout.toString("latin1").trim() === commit) {
    const { stdout: lacking } = await git.run(["ls-files", "-z", "--deleted"]);
    await git.run(["update-index", "-z", "--skip-worktree", "--stdin"], {
      input: lacking,
    });
    return;
  }
  const [first = ""] = stderr.trim().split("\n");
  throw new Failure(
    `commit ${commit.slice(0, 10)} cannot be checked out: ${printable(first)}`,
  );
}

/**
 * Makes a `node_modules` whose entries lead to another's: programs find each other, and what they write beside them
 * (`node_modules/.cache`) stays here.
 * @param from the folder to lead to, absolute
 * @param dir the folder that gets a `node_modules`; one that is there stays
 */
export async function borrowModules(from: string, dir: string): Promise<void> {
  const to = join(dir, "node_modules");
  if (existsSync(to)) return;
  await mkdir(to);
  for (const name of await readdir(from))
    if (name !== ".cache") await symlink(join(from, name), join(to, name));
}

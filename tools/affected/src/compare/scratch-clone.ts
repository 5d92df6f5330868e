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

/**
 * A separate repository in the system's temporary folder, in which any commit of the user's repository can be checked
 * out.
 */
export interface ScratchClone extends AsyncDisposable {
  /** The top of its working tree, absolute. */
  readonly top: string;
  /** A folder beside the working tree that a program may write to. */
  readonly scratch: string;
  /** An environment in which git and other programs see only this repository. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Checks a commit out, and overwrites whatever the working tree contained before.
   * @throws {Failure} if git can't
   */
  checkOut(commit: string): Promise<void>;
}

/**
 * The clone ignores these names: they are never committed, and a program that asks git for new files doesn't see them.
 */
const IGNORED = ["node_modules", ".turbo", ".nx", "turbo.json", "nx.json"];

/**
 * Makes an empty repository that reads the user's objects and writes its own. It writes nothing to the user's
 * repository: it registers no worktree there, and doesn't touch the index, the refs or the working tree.
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
    // A template may contain hooks.
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

/**
 * Returns an environment without hooks, without a filter that downloads large files and without prompts. Git finds only
 * the repository of the folder.
 */
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
 * Checks a commit out. If a partial clone lacks some files, git writes all the others and then fails; HEAD shows
 * whether it did. The missing files must not look deleted to a program that asks git for uncommitted changes.
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
    // Only in a sparse checkout, a missing file with this flag isn't deleted.
    await git.run(["config", "core.sparseCheckout", "true"]);
    return;
  }
  const [first = ""] = stderr.trim().split("\n");
  throw new Failure(
    `commit ${commit.slice(0, 10)} cannot be checked out: ${printable(first)}`,
  );
}

/**
 * Makes a `node_modules` whose entries link to those of another one. Programs find each other there, and files that
 * they write beside them (`node_modules/.cache`) stay in the new folder.
 * @param from the folder to link to, absolute
 * @param dir the folder that gets a `node_modules`; an existing one is left alone
 */
export async function borrowModules(from: string, dir: string): Promise<void> {
  const to = join(dir, "node_modules");
  if (existsSync(to)) return;
  await mkdir(to);
  for (const name of await readdir(from))
    if (name !== ".cache") await symlink(join(from, name), join(to, name));
}

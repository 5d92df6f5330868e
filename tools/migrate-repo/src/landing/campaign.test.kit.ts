import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { gitIn, gitTestEnv } from "@skein/testing";
import { migrate, type Pair, type Ran } from "../migrate.test.kit.js";

/**
 * Returns a number from 0 up to, but without, a bound. The same seed gives the same numbers (Mulberry32, public domain,
 * T. Ettinger).
 */
export type Random = (bound: number) => number;

/** Creates a sequence of numbers from a seed. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** A user who works in the workspace during a migration, and records what must not get lost. */
export class User {
  readonly #dir: string;
  readonly #random: Random;
  #count = 0;
  readonly #commits: string[] = [];
  readonly #staged = new Map<string, string>();
  readonly #files = new Map<string, string>();
  /** Whether the user removed locks by hand, as git proposes. The user then works in a half-made landing. */
  removedLocks = false;

  constructor(dir: string, random: Random) {
    this.#dir = dir;
    this.#random = random;
  }

  /** Does one random thing. If git refuses it because of a lock, nothing happens. */
  act(): void {
    const id = (this.#count += 1);
    const acts = [
      () => this.#commit(`user-${id}.txt`),
      () => this.#commit(`user-${id}.txt`),
      () => this.#stage(`staged-${id}.txt`),
      () => this.#write(`edit-${id}.txt`, "edited\n"),
      () => this.#switch(`side-${id}`),
      () =>
        this.#git("repack", "-a", "-d", "-q") &&
        this.#git("prune", "--expire=now"),
    ];
    acts[this.#random(acts.length)]?.();
  }

  /** Removes locks that a kill has left, as git's message proposes. */
  removeLocks(): void {
    for (const name of ["index", "HEAD", "packed-refs", "refs/heads/main"]) {
      const lock = join(this.#dir, `.git/${name}.lock`);
      if (!existsSync(lock)) continue;
      rmSync(lock);
      this.removedLocks = true;
    }
  }

  #git(...args: string[]): boolean {
    const { status } = spawnSync("git", args, {
      cwd: this.#dir,
      env: gitTestEnv,
    });
    return status === 0;
  }

  #write(path: string, text: string): void {
    writeFileSync(join(this.#dir, path), text);
    this.#files.set(path, text);
  }

  #commit(path: string): void {
    this.#write(path, `${path}\n`);
    if (this.#git("add", path) && this.#git("commit", "-q", "-m", path))
      this.#commits.push(gitIn(this.#dir, "rev-parse", "HEAD").trim());
  }

  #stage(path: string): void {
    this.#write(path, "staged\n");
    if (this.#git("add", path))
      this.#staged.set(path, gitIn(this.#dir, "rev-parse", `:${path}`).trim());
    this.#write(path, "unstaged\n");
  }

  #switch(branch: string): void {
    const onMain = gitIn(this.#dir, "branch", "--show-current") === "main\n";
    if (onMain) this.#git("switch", "-q", "-c", branch);
    else this.#git("switch", "-q", "main");
  }

  /** Returns the work that got lost; empty if all is well. */
  lost(): readonly string[] {
    const lost: string[] = [];
    const git = (...args: string[]) => gitIn(this.#dir, ...args).trim();
    for (const commit of this.#commits)
      if (git("for-each-ref", "--contains", commit, "refs/heads") === "")
        lost.push(`commit ${commit}`);
    const branches = git(
      "for-each-ref",
      "--format=%(refname)",
      "refs/heads",
    ).split("\n");
    const trees = branches.map((branch) => git("ls-tree", "-r", branch));
    const index = git("ls-files", "--stage");
    for (const [path, id] of this.#staged)
      if (
        ![index, ...trees].some(
          (list) => list.includes(id) && list.includes(path),
        )
      )
        lost.push(`staged ${path}`);
    for (const [path, text] of this.#files) {
      const isElsewhere =
        !index.includes(`\t${path}`) &&
        trees.some((tree) => tree.includes(`\t${path}`));
      const file = join(this.#dir, path);
      if (
        !isElsewhere &&
        (!existsSync(file) || readFileSync(file, "utf8") !== text)
      )
        lost.push(`file ${path}`);
    }
    return lost;
  }
}

/** A command that is killed. */
export interface Killable {
  readonly name: string;
  readonly argv: readonly string[];
}

/** Runs commands in a workspace, and kills them on request. */
export interface Runner {
  /** Runs a command while a user works; a random moment ends it. */
  disturbed(argv: readonly string[], random: Random, user: User): Promise<void>;
  /** Runs a command to its end. */
  whole(argv: readonly string[]): Promise<Ran>;
}

/**
 * Returns a runner in this process. To kill a command, it copies the folder at a step of the landing and later replaces
 * the folder by the copy.
 */
export function runnerInProcess({ target }: Pair): Runner {
  const copy = `${target}.killed`;
  return {
    whole: (argv) => migrate(target, argv),
    async disturbed(argv, random, user) {
      const [workAt, killAt] = [random(12), random(14)];
      let step = -1;
      await migrate(target, argv, {
        checkpoint: () => {
          step += 1;
          if (step === workAt && !existsSync(copy)) user.act();
          if (step === killAt) spawnSync("cp", ["-a", target, copy]);
        },
      });
      if (!existsSync(copy)) return;
      await rm(target, { recursive: true, maxRetries: 3 });
      await rename(copy, target);
    },
  };
}

/** The result of one run of the campaign. */
export interface Outcome {
  /** The commands, and how they ended. */
  readonly story: readonly string[];
  /** The faults; empty if all is well. */
  readonly wrong: readonly string[];
}

const PRINTED = /migrate-repo (continue|abort|undo \S+)/g;

/**
 * Makes one run: it kills a command, maybe also its recovery, while a user works, and then follows the printed
 * commands.
 */
export async function killAndRecover(
  target: string,
  { argv, name }: Killable,
  runner: Runner,
  random: Random,
): Promise<Outcome> {
  const user = new User(target, random);
  const story = [name];
  await runner.disturbed(argv, random, user);
  if (random(3) === 0) user.removeLocks();
  if (random(2) === 0) user.act();
  let next = [random(2) === 0 ? "continue" : "abort"];
  if (random(3) === 0) {
    story.push(`killed ${next.join(" ")}`);
    await runner.disturbed(next, random, user);
  }
  for (let tries = 0; tries < 4; tries++) {
    const ran = await runner.whole(next);
    const output = ran.stderr.trim();
    story.push(`${next.join(" ")}: ${ran.code} ${output}`);
    if (ran.code === 0 || output.includes("no migration is in progress")) break;
    if (output.includes("this is a bug")) break;
    // The lock is stale: git's message and ours name the file to remove.
    if (output.includes("locked")) user.removeLocks();
    // The last printed command needs no other step before it.
    const printed = [...output.matchAll(PRINTED)].at(-1)?.[1];
    next = printed?.split(" ") ?? ["abort"];
  }
  return {
    story,
    wrong: await wrongWith(target, user, await runner.whole(["abort"])),
  };
}

const USERS = /^.. (?:user|staged|edit)-\d+\.txt$/;

async function wrongWith(
  target: string,
  user: User,
  last: Ran,
): Promise<readonly string[]> {
  user.removeLocks();
  const files = await readdir(join(target, ".git"), { recursive: true });
  const fsck = spawnSync("git", ["fsck", "--strict", "--no-dangling"], {
    cwd: target,
    env: gitTestEnv,
    encoding: "utf8",
  });
  const status = gitIn(
    target,
    "status",
    "--porcelain",
    "--untracked-files=all",
  );
  return [
    ...user.lost(),
    ...files.filter((file) => /\.lock$|\.keep$|skein-migrate/.test(file)),
    ...(fsck.status === 0 ? [] : [`fsck: ${fsck.stdout}${fsck.stderr}`]),
    ...(last.stderr.includes("no migration is in progress")
      ? []
      : [`stuck: ${last.stderr}`]),
    ...status
      .split("\n")
      // A user who removes a lock and commits, commits half a landing: nothing is lost, but the status shows it.
      .filter((line) => line !== "" && !user.removedLocks && !USERS.test(line))
      .map((line) => `status ${line}`),
  ];
}

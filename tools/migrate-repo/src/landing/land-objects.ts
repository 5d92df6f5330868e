import {
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { withEnv, type Git } from "@skein/git";
import { exists, moveFile } from "./file-moves.js";
import type { Landing } from "./journal.js";

type Objects = Pick<Landing, "objects">;

/** The exit codes of `git fsck`: a bit for each kind of damage (builtin/fsck.c, `ERROR_*`), or 128. */
const FSCK_ANSWERS = Array.from({ length: 129 }, (_, code) => code);

/** The content of our `.keep` files. */
const KEEP = "migrate-repo: a landing is going on\n";

/**
 * Moves new objects into the target's database, where nothing refers to them yet. Each pack gets a `.keep` file until a
 * ref refers to it: `git gc` doesn't touch such a pack (git-repack(1), `--pack-kept-objects`).
 */
export async function moveObjects({ objects }: Objects): Promise<void> {
  for (const { from, to } of objects) {
    if (!(await exists(from)) || (await exists(to))) continue;
    await mkdir(dirname(to), { recursive: true });
    if (to.endsWith(".pack"))
      await writeFile(keepOf(to), KEEP, { flag: "wx" }).catch(
        (error: unknown) => {
          if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        },
      );
    await moveFile(from, to);
  }
  for (const dir of new Set(objects.map(({ to }) => dirname(to)))) {
    // Without this, a power loss could keep the refs and lose the objects.
    await using handle = await open(dir);
    await handle.sync();
  }
}

/** Removes the `.keep` files of a landing's packs, so that `git gc` may repack them. */
export async function releaseObjects({ objects }: Objects): Promise<void> {
  for (const { to } of objects) {
    if (!to.endsWith(".pack")) continue;
    const keep = keepOf(to);
    const text = await readFile(keep, "utf8").catch(() => undefined);
    // A kill may have left the file empty.
    if (text === KEEP || text === "") await rm(keep, { force: true });
  }
}

function keepOf(pack: string): string {
  return pack.replace(/\.pack$/, ".keep");
}

/**
 * Moves the new objects out of the target's database again if nothing needs them by now: a commit made since may share
 * an object. `git gc` removes the objects that stay.
 * @param objectsDir the target's object database
 * @param scratch folder of the migration
 */
export async function removeObjects(
  git: Git,
  { objects }: Objects,
  objectsDir: string,
  scratch: string,
): Promise<void> {
  const arrived = [];
  for (const object of objects.toReversed())
    if ((await exists(object.to)) && !(await exists(object.from)))
      arrived.push(object);
  const isFree =
    arrived.length > 0 &&
    !(await areUsed(arrived)) &&
    (await isWholeWithout(git, arrived, objectsDir, scratch));
  if (isFree)
    for (const { from, to } of arrived) {
      await mkdir(dirname(from), { recursive: true });
      await moveFile(to, from);
    }
  await releaseObjects({ objects });
}

/**
 * Returns whether git has touched one of the files. Git touches a pack (or a loose object) instead of writing an object
 * that it holds.
 */
async function areUsed(arrived: Landing["objects"]): Promise<boolean> {
  for (const { to, written } of arrived) {
    if (written !== undefined && (await stat(to)).mtimeMs !== written)
      return true;
  }
  return false;
}

/**
 * Returns whether the object database has everything that refs, reflogs and indexes name, even without some of its
 * files. Git checks a view of the database, so the files stay in place until then: a kill or a concurrent reader loses
 * nothing.
 */
async function isWholeWithout(
  git: Git,
  without: Landing["objects"],
  objectsDir: string,
  scratch: string,
): Promise<boolean> {
  const view = join(scratch, "objects-view");
  await rm(view, { recursive: true, force: true });
  const gone = new Set(without.map(({ to }) => to));
  await viewWithout(objectsDir, view, gone);
  const { exitCode } = await withEnv(git, {
    GIT_OBJECT_DIRECTORY: view,
  }).run(
    // `rev-list --reflog` skips objects that a reflog names and the database lacks; fsck reports them.
    ["fsck", "--connectivity-only", "--no-dangling", "--no-progress"],
    { answers: FSCK_ANSWERS },
  );
  await rm(view, { recursive: true, force: true });
  return exitCode === 0;
}

async function viewWithout(
  objectsDir: string,
  view: string,
  gone: ReadonlySet<string>,
): Promise<void> {
  await mkdir(join(view, "info"), { recursive: true });
  for (const name of await readdir(objectsDir)) {
    if (!/^(?:pack|[0-9a-f]{2})$/.test(name)) continue;
    const from = join(objectsDir, name);
    await mkdir(join(view, name));
    for (const file of await readdir(from))
      if (!gone.has(join(from, file)) && file !== "multi-pack-index")
        await symlink(join(from, file), join(view, name, basename(file)));
  }
  const alternates = await readFile(
    join(objectsDir, "info/alternates"),
    "utf8",
  ).catch(() => "");
  await writeFile(
    join(view, "info/alternates"),
    alternates
      .split("\n")
      // A quoted path is absolute, or git resolves it in the view and fails: then the objects stay.
      .map((line) =>
        line === "" || line.startsWith('"') ? line : resolve(objectsDir, line),
      )
      .join("\n"),
  );
}

/**
 * The parts of an object database that `git gc` and `git prune` remove: packs, and when a loose object was last added
 * or removed.
 */
export interface StoreState {
  readonly packs: readonly string[];
  readonly loose: string;
}

/** Reads the state of an object database. @param objectsDir its folder */
export async function storeState(objectsDir: string): Promise<StoreState> {
  const packs = await readdir(join(objectsDir, "pack")).catch(
    (): string[] => [],
  );
  const folders = (await readdir(objectsDir)).filter((name) =>
    /^[0-9a-f]{2}$/.test(name),
  );
  const times = await Promise.all(
    folders.sort().map(async (name) => {
      const stats = await stat(join(objectsDir, name)).catch(() => undefined);
      return `${name} ${stats?.mtimeMs ?? 0}`;
    }),
  );
  return {
    packs: packs.filter((name) => name.endsWith(".pack")),
    loose: times.join(","),
  };
}

/** Returns whether an object may have been removed between two states of a database. */
export function mayHaveLost(before: StoreState, now: StoreState): boolean {
  return (
    before.loose !== now.loose ||
    before.packs.some((pack) => !now.packs.includes(pack))
  );
}

/** Returns whether the database has all objects that the refs of a landing need. */
export async function isWhole(
  git: Git,
  { refs }: Pick<Landing, "refs">,
): Promise<boolean> {
  const tips = refs.flatMap((update) => update.new ?? []);
  const { exitCode } = await git.run(
    ["rev-list", "--objects", "--quiet", "--stdin", "--not", "--all"],
    { input: tips.map((id) => `${id}\n`).join(""), answers: [0, 1, 128] },
  );
  return exitCode === 0;
}

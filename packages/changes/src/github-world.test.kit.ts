import { openGitHub, type GitHub } from "@skein/github";
import { buildHistory, gitIn, startFakeGitHub, tempDir } from "@skein/testing";
import type { CommitSpec, FakeGitHub, FakeRepository } from "@skein/testing";

export const octo = { owner: "octo", name: "app" };

/** A fake GitHub with one repository, `octo/app`, and a client with short seconds. */
export interface World extends AsyncDisposable {
  readonly dir: string;
  readonly fake: FakeGitHub;
  readonly repository: FakeRepository;
  readonly github: GitHub;
  /** Returns a commit's id. */
  id(name: string): string;
}

/**
 * Creates a repository with this history on a fake GitHub, and a client for it.
 * @param before is called with each request before it is answered
 */
export async function githubWorld(
  history: readonly CommitSpec[],
  before?: (world: World, operation: string) => void,
): Promise<World> {
  const dir = await tempDir();
  buildHistory(dir.path, history);
  // Set below, because the server starts before the world exists.
  const reported: { world?: World } = {};
  const fake = await startFakeGitHub({
    before: (operation) => {
      if (reported.world) before?.(reported.world, operation);
    },
  });
  const world: World = {
    dir: dir.path,
    fake,
    repository: fake.addRepository("octo/app", { dir: dir.path }),
    github: openGitHub({ baseUrl: fake.url, second: 1 }),
    id: (name) => gitIn(dir.path, "rev-parse", name).trim(),
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
  reported.world = world;
  return world;
}

const twenty = "one\n".repeat(20);

/**
 * A feature that moves a file, changes one and deletes one; a main with a later commit; and a branch that merged both.
 */
export const history: readonly CommitSpec[] = [
  { files: { "a/one.txt": twenty, "b.txt": "1", "gone.txt": "gone" } },
  {
    branch: "feature",
    from: "main",
    files: { "c/moved.txt": twenty, "b.txt": "2", "é\n.txt": "new" },
    remove: ["a/one.txt", "gone.txt"],
  },
  { branch: "main", files: { "later.txt": "later" } },
  {
    branch: "merged",
    from: "feature",
    merge: ["main"],
    files: { "later.txt": "later" },
  },
  { branch: "island", files: { "palm.txt": "" } },
];

/** Returns this many new files, in a folder. */
export function manyFiles(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `many/${String(at).padStart(4, "0")}.txt`,
      String(at),
    ]),
  );
}

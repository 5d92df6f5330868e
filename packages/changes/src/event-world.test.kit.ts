import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRepository, type Repository } from "@skein/git";
import { gitIn, gitTestEnv, tempDir } from "@skein/testing";
import type { Changeset } from "./changeset.js";
import { readEventChangeset, type EventRequest } from "./event.js";
import { githubWorld, history, type World } from "./github-world.test.kit.js";

export const ZERO = "0".repeat(40);

/** The parts of an event from GitHub that differ between tests. */
export interface EventSpec {
  readonly name: string;
  readonly ref?: string;
  readonly sha: string;
  readonly payload: object;
}

export interface EventWorld extends World {
  /**
   * Returns a checkout of a commit as actions/checkout makes it: one commit deep, no branch, and the remote `origin`.
   * @param depth 0 for the whole history of this commit
   */
  checkout(commit: string, depth?: number): Promise<Repository>;
  /** Reads the changeset of an event, by default through GitHub and git. */
  read(event: EventSpec, request?: Partial<EventRequest>): Promise<Changeset>;
}

/** Creates the history of the kit with pull request 7, from feature to main. */
export async function eventWorld(): Promise<EventWorld> {
  const world = await githubWorld(history);
  world.fake.addPull(world.repository, {
    number: 7,
    base: "main",
    head: "feature",
  });
  const rooms = await tempDir();
  let room = 0;
  return {
    ...world,
    async checkout(commit, depth = 1) {
      const cwd = join(rooms.path, String(++room));
      await mkdir(cwd);
      gitIn(cwd, "init", "-q");
      gitIn(cwd, "remote", "add", "origin", `file://${world.dir}`);
      const deep = depth > 0 ? [`--depth=${depth}`] : [];
      gitIn(cwd, "fetch", "-q", "--no-tags", ...deep, "origin", commit);
      gitIn(cwd, "checkout", "-q", "--detach", "FETCH_HEAD");
      // Files that a build step leaves behind are not changes.
      await writeFile(join(cwd, "untracked.txt"), "");
      return openRepository({ cwd, env: gitTestEnv });
    },
    async read({ name, ref, sha, payload }, request = {}) {
      const file = join(rooms.path, `event-${++room}.json`);
      const repository = { full_name: "octo/app", default_branch: "main" };
      await writeFile(file, JSON.stringify({ repository, ...payload }));
      return readEventChangeset({
        env: {
          GITHUB_EVENT_NAME: name,
          GITHUB_EVENT_PATH: file,
          GITHUB_REPOSITORY: "octo/app",
          GITHUB_SHA: sha,
          GITHUB_REF: ref ?? "refs/heads/main",
          GITHUB_WORKFLOW_REF:
            "octo/app/.github/workflows/ci.yml@refs/heads/main",
        },
        github: world.github,
        deepen: "auto",
        onMissingBase: "error",
        ...request,
      });
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await rooms[Symbol.asyncDispose]();
    },
  };
}

/** Returns the parts of a changeset that are shown to users, one line each. */
export function summary({
  base,
  head,
  source,
  changes,
  unknown,
}: Changeset): readonly string[] {
  const end = (revision: Changeset["base"]) =>
    revision ? `${revision.name} ${revision.commit}` : "none";
  return [
    `base ${end(base)}`,
    `head ${end(head)}`,
    source.kind === "github-event" || source.kind === "ci-event"
      ? `${source.event} via ${source.via}`
      : source.kind,
    ...changes
      .map(({ origin, kind, path }) => `${origin} ${kind} ${path}`)
      .sort(),
    ...unknown.map(({ kind, detail }) => `unknown: ${kind}: ${detail}`),
  ];
}

/** The changes of the branch `feature`, as `summary` lists them. */
export const FEATURE = [
  "committed added c/moved.txt",
  "committed added é\n.txt",
  "committed deleted a/one.txt",
  "committed deleted gone.txt",
  "committed modified b.txt",
];

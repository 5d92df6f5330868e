import { ciOf } from "@skein/ci/ci-of";
import type { EarlyAnswers, Changeset } from "@skein/changes";
import { readGitChangeset } from "@skein/changes/git-changeset";
import { RepositoryError, type Repository } from "@skein/git";
import type { CliWorld } from "@skein/reporting";
import type { Settings } from "@skein/workspaces";
import { cacheDirOf } from "../cache-dir.js";
import type { ChangeOptions } from "../command.js";
import type { RemoteChangeset } from "./github.js";

/**
 * Reads the changeset from the source that the options name: a pull request, a list, or git. Without such options, it
 * uses the event in GitHub Actions, GitLab CI or Buildkite, and otherwise git.
 */
export async function readChanges(
  world: CliWorld,
  opening: Promise<Repository>,
  settings: Settings,
  options: ChangeOptions,
  early?: EarlyAnswers,
): Promise<RemoteChangeset> {
  const { env } = world;
  // The code for GitHub is loaded only if it is needed.
  if (options.pr !== undefined) {
    const clone = await opening.catch(noClone);
    return (await import("./github.js")).readPullRequest(
      env,
      clone,
      options.pr,
    );
  }
  const repository = await opening;
  const { base, head, since, filesFrom } = options;
  if (filesFrom !== undefined) {
    const { readList } = await import("./file-list.js");
    return inClone(await readList(world, repository, filesFrom));
  }
  const isNamed =
    base !== undefined || head !== undefined || since !== undefined;
  const { engine, event } = ciOf(env);
  const isEvent = event.kind === "variables" || event.path !== "";
  if (engine !== undefined && isEvent && !isNamed)
    return (await import("./github.js")).readEvent(env, repository, options);
  const green =
    base === "last-green"
      ? await (
          await import("./github.js")
        ).findLastGreen(env, repository, settings)
      : undefined;
  const from = green ?? since;
  return inClone(
    await readGitChangeset(repository, {
      // A green commit itself is the base, not a merge base: all later changes count.
      ...(from !== undefined
        ? { since: from }
        : base !== undefined && { base }),
      ...(head !== undefined && { head }),
      workingTree: !options.committed,
      deepen: options.deepen,
      early,
      keepIn: cacheDirOf(env, repository),
      onMissingBase: options.fallback === "all" ? "everything" : "error",
      ...(settings.defaultBranch !== undefined && {
        defaultBranch: settings.defaultBranch,
      }),
    }),
  );
}

function inClone(changeset: Changeset): RemoteChangeset {
  return { changeset, treeAt: undefined };
}

function noClone(error: unknown): undefined {
  if (error instanceof RepositoryError) return undefined;
  throw error;
}

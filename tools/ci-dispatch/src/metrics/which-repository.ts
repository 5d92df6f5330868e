import { githubAccessOf } from "@skein/ci";
import { openRepository } from "@skein/git";
import { apiUrlOf, parseRemoteUrl, parseRepository } from "@skein/github";
import type { RepositoryName } from "@skein/github";
import { printable, usageFailure } from "@skein/reporting";
import type { DispatchWorld } from "../world.js";

/** The repository that a command is about. */
export interface AskedRepository {
  readonly repository: RepositoryName;
  readonly baseUrl: string | undefined;
  /** Whether the clone is of this repository. */
  readonly isHere: boolean;
}

/**
 * Finds the repository: the one that the user named, otherwise that of the workflow, otherwise that of a remote of the
 * clone.
 * @param named `owner/name`
 * @throws {Failure} if none is found
 */
export async function whichRepository(
  world: DispatchWorld,
  named: string | undefined,
  remote: string,
): Promise<AskedRepository> {
  const { env } = world;
  const found = await remoteOf(world, remote);
  const here = workflowsOwn(world) ?? found?.repository;
  const repository = named === undefined ? here : parseRepository(named);
  if (!repository)
    throw usageFailure(
      named === undefined
        ? "no repository is given"
        : `${printable(named)} is not a repository`,
      { hint: "set it with --repo owner/name" },
    );
  const host = found?.host;
  return {
    repository,
    baseUrl:
      githubAccessOf(env).apiUrl ??
      (host === undefined ? undefined : apiUrlOf(host)),
    isHere: show(repository) === (here && show(here)),
  };
}

/**
 * Finds the repository of the clone: that of the workflow, otherwise that of a remote.
 * @returns undefined if neither names one
 */
export async function hereRepository(
  world: DispatchWorld,
  remote: string,
): Promise<RepositoryName | undefined> {
  return workflowsOwn(world) ?? (await remoteOf(world, remote))?.repository;
}

const workflowsOwn = ({ env }: DispatchWorld) =>
  parseRepository(githubAccessOf(env).repository ?? "");

const show = ({ owner, name }: RepositoryName) =>
  `${owner}/${name}`.toLowerCase();

async function remoteOf(world: DispatchWorld, remote: string) {
  try {
    const { git } = await openRepository(world);
    const args = ["config", "--get", `remote.${remote}.url`];
    const { stdout } = await git.run(args, { answers: [0, 1] });
    return parseRemoteUrl(stdout.toString("utf8").trim());
  } catch {
    return undefined;
  }
}

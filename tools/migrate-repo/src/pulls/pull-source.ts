import { githubAccessOf } from "@skein/ci";
import {
  apiUrlOf,
  parseRemoteUrl,
  parseRepository,
  type RepositoryName,
} from "@skein/github";

type Env = Readonly<Record<string, string | undefined>>;

/** A repository on GitHub, and the URL of its API. */
export interface PullSource {
  readonly repository: RepositoryName;
  readonly baseUrl: string;
}

/**
 * Returns the repository with a source's pull requests. A token is for one server, so only the server in GITHUB_API_URL
 * (or github.com) is ever queried; the token is never sent elsewhere.
 * @param github `owner/name` as the user gave it
 * @returns undefined if the repository isn't known
 */
export function pullSourceOf(
  github: string | undefined,
  fetchFrom: string,
  env: Env,
): PullSource | undefined {
  const named = githubAccessOf(env).apiUrl?.replace(/\/+$/, "") ?? "";
  const baseUrl = named === "" ? apiUrlOf("github.com") : named;
  if (github !== undefined) {
    const repository = parseRepository(github);
    return repository && { repository, baseUrl };
  }
  const remote = parseRemoteUrl(fetchFrom);
  return remote && apiUrlOf(remote.host) === baseUrl
    ? { repository: remote.repository, baseUrl }
    : undefined;
}

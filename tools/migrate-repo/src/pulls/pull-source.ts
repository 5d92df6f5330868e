import { githubAccessOf } from "@skein/ci";
import {
  apiUrlOf,
  parseRemoteUrl,
  parseRepository,
  type RepositoryName,
} from "@skein/github";

type Env = Readonly<Record<string, string | undefined>>;

/** A repository on GitHub, and the API that knows it. */
export interface PullSource {
  readonly repository: RepositoryName;
  readonly baseUrl: string;
}

/**
 * Returns where a source's pull requests are. A token is for one server: an address on another than GITHUB_API_URL names (or
 * github.com) is never asked, so that no token goes astray.
 * @param github `owner/name` as the user gave it
 * @returns undefined where nothing says which repository it is
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

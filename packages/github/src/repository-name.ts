/**
 * The owner and name of a repository on GitHub. Only {@link parseRepository} and similar functions create one, so both
 * parts are safe.
 */
export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** The repository and number of a pull request on GitHub. */
export interface PullRequestName {
  readonly repository: RepositoryName;
  readonly number: number;
}

/** Returns `owner/name`. */
export function showRepository({ owner, name }: RepositoryName): string {
  return `${owner}/${name}`;
}

/**
 * Parses `owner/name`.
 * @returns undefined for any text that GitHub would not allow as a name; `.` and `..` would change the path in its API
 * @see https://docs.github.com/repositories/creating-and-managing-repositories/repository-limits
 */
export function parseRepository(text: string): RepositoryName | undefined {
  const [owner = "", name = "", ...rest] = text.split("/");
  if (rest.length > 0 || name === "." || name === "..") return undefined;
  // An owner's name contains an underscore if a company manages its users.
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(owner)) return undefined;
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(name)) return undefined;
  return { owner, name };
}

/**
 * Parses `owner/name#123`, or the URL of a pull request's page.
 * @returns undefined if it is neither
 */
export function parsePullRequest(text: string): PullRequestName | undefined {
  const [, place = "", digits = ""] =
    /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/pull\/(\d{1,9})(?:[/?#].*)?$/.exec(
      text,
    ) ??
    /^([^#]+)#(\d{1,9})$/.exec(text) ??
    [];
  const repository = parseRepository(place);
  const number = Number(digits);
  return repository && number > 0 ? { repository, number } : undefined;
}

/** The repository of a remote, and its server. */
export interface RemoteRepository {
  /** The host name in lower case, with its port if the URL contains one: `github.com`. */
  readonly host: string;
  readonly repository: RepositoryName;
}

/**
 * Parses the URL of a git remote: `https://host/owner/name.git`, `ssh://git@host/owner/name`,
 * `git@host:owner/name.git`. The result contains only host, owner and name, so no user or password.
 * @returns undefined for a path on this machine, or any other text that isn't an owner and a name on a host
 */
export function parseRemoteUrl(url: string): RemoteRepository | undefined {
  const scp = /^(?:[^@/]+@)?([^/:@]+):(?!\/\/)(.+)$/.exec(url);
  const [host, path] = scp
    ? [scp[1] ?? "", scp[2] ?? ""]
    : partsOf(url, ["https:", "http:", "ssh:", "git:", "git+ssh:"]);
  const repository = parseRepository(
    path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, ""),
  );
  // `C:name` is a path on a drive. `ssh.github.com` is GitHub's host for networks whose firewall blocks SSH.
  if (!repository || host.length < 2) return undefined;
  const known = host
    .toLowerCase()
    .replace(/^ssh\.github\.com(:443)?$/, "github.com");
  return { host: known, repository };
}

function partsOf(
  text: string,
  protocols: readonly string[],
): readonly [host: string, path: string] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !protocols.includes(url.protocol)) return ["", ""];
  // The API may have a web port in its URL, but never the SSH port.
  const host = url.protocol.startsWith("http") ? url.host : url.hostname;
  return [
    url.host === "ssh.github.com:443" ? "github.com" : host,
    url.pathname,
  ];
}

/**
 * Returns the API's URL for a server: api.github.com, or an Enterprise Server's `/api/v3`.
 * @see https://docs.github.com/enterprise-server/rest/quickstart
 */
export function apiUrlOf(host: string): string {
  if (host === "github.com") return "https://api.github.com";
  // Enterprise Cloud with data residency: https://docs.github.com/enterprise-cloud@latest/admin/data-residency
  if (host.endsWith(".ghe.com")) return `https://api.${host}`;
  return `https://${host}/api/v3`;
}

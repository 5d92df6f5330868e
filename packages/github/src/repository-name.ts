/** A repository's place on GitHub. Only {@link parseRepository} and its kin make one, so both parts are harmless. */
export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** A pull request's place on GitHub. */
export interface PullRequestName {
  readonly repository: RepositoryName;
  readonly number: number;
}

/** `owner/name` */
export function showRepository({ owner, name }: RepositoryName): string {
  return `${owner}/${name}`;
}

/**
 * Reads `owner/name`.
 * @returns undefined for anything that GitHub would not allow as a name; `.` and `..` would lead elsewhere in its API
 * @see https://docs.github.com/repositories/creating-and-managing-repositories/repository-limits
 */
export function parseRepository(text: string): RepositoryName | undefined {
  const [owner = "", name = "", ...rest] = text.split("/");
  if (rest.length > 0 || name === "." || name === "..") return undefined;
  // An underscore is in the owner's name where a company manages its users.
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(owner)) return undefined;
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(name)) return undefined;
  return { owner, name };
}

/** Reads `owner/name#123`, or the address of a pull request's page. @returns undefined if it is neither */
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

/** A remote's repository, and the server it is on. */
export interface RemoteRepository {
  /** Host name in lower case, with its port if the URL names one: `github.com`. */
  readonly host: string;
  readonly repository: RepositoryName;
}

/**
 * Reads the URL of a git remote: `https://host/owner/name.git`, `ssh://git@host/owner/name`, `git@host:owner/name.git`.
 * User and password are dropped; nothing of the URL but host, owner and name comes back.
 * @returns undefined for a path on this machine, or anything else that is not two names on a host
 */
export function parseRemoteUrl(url: string): RemoteRepository | undefined {
  const scp = /^(?:[^@/]+@)?([^/:@]+):(?!\/\/)(.+)$/.exec(url);
  const [host, path] = scp
    ? [scp[1] ?? "", scp[2] ?? ""]
    : partsOf(url, ["https:", "http:", "ssh:", "git:", "git+ssh:"]);
  const repository = parseRepository(
    path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, ""),
  );
  // `C:name` is a drive, `ssh.github.com` is GitHub's way through firewalls.
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
  // An SSH port says nothing about where the API is; a web port does.
  const host = url.protocol.startsWith("http") ? url.host : url.hostname;
  return [
    url.host === "ssh.github.com:443" ? "github.com" : host,
    url.pathname,
  ];
}

/**
 * The API's address for a server: api.github.com, or an Enterprise Server's `/api/v3`.
 * @see https://docs.github.com/enterprise-server/rest/quickstart
 */
export function apiUrlOf(host: string): string {
  if (host === "github.com") return "https://api.github.com";
  // Enterprise Cloud with data residency: https://docs.github.com/enterprise-cloud@latest/admin/data-residency
  if (host.endsWith(".ghe.com")) return `https://api.${host}`;
  return `https://${host}/api/v3`;
}

import { GITHUB, type Ci } from "@skein/ci";

/** Protocols of git whose addresses name a host. */
const PROTOCOLS = ["https:", "http:", "ssh:", "git:", "git+ssh:"];

/**
 * Returns the repository that the address of a git remote identifies, in lower case: `github.com/acme/shop`. The result has
 * no user, password or port. Pure.
 * @returns undefined for a folder of this machine, and for any other text that isn't such an address
 */
export function identityOfRemote(address: string): string | undefined {
  const [, host, path] =
    /^(?:[^@/]+@)?([^/:@]{2,}):(?!\/\/)(.+)$/.exec(address) ?? partsOf(address);
  const name = path?.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  return host && name ? `${host}/${name}`.toLowerCase() : undefined;
}

function partsOf(address: string): readonly (string | undefined)[] {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && PROTOCOLS.includes(url.protocol)
    ? [undefined, url.hostname, url.pathname]
    : [];
}

/** Returns the repository that a CI engine runs for, in the form of {@link identityOfRemote}. Pure. */
export function identityOfCi({
  engine,
  server,
  repository,
}: Ci): string | undefined {
  if (engine === undefined || repository === undefined) return undefined;
  const origin = server ?? (engine === "github-actions" ? GITHUB : "");
  const host = URL.canParse(origin) ? new URL(origin).hostname : "";
  return `${host}/${repository}`.toLowerCase();
}

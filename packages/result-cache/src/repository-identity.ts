import { GITHUB } from "@skein/ci";
import type { Ci } from "@skein/ci";

/** Protocols of git whose addresses name a host. */
const PROTOCOLS = ["https:", "http:", "ssh:", "git:", "git+ssh:"];

/**
 * Returns which repository the address of a git remote names: `github.com/acme/shop`, in small letters. User, password and port are
 * left out. Pure.
 * @returns undefined for a folder of this machine, and for what names none
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

/** Returns which repository a CI engine runs for, in the same words as {@link identityOfRemote}. Pure. */
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

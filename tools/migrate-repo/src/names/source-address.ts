import { pathToFileURL } from "node:url";
import { printable } from "@skein/reporting";
import type { SourceAddress } from "../migration.js";

export type AddressProblem =
  | { readonly code: "source-is-option"; readonly given: string }
  | { readonly code: "source-control-characters" }
  | { readonly code: "source-query" }
  | { readonly code: "source-transport"; readonly transport: string }
  | { readonly code: "source-unclear"; readonly given: string };

/** Transports that only fetch. `ext::` runs commands, and `http:` isn't encrypted. */
export const TRANSPORTS = ["https", "ssh", "file", "git"] as const;

/**
 * Parses a source as the user gave it: a git URL, an scp-like address, a folder, or `owner/name` on GitHub. It
 * separates credentials from the URL.
 * @param folder the absolute path, if the text is the path of an existing folder
 */
export function parseSource(
  given: string,
  folder: string | undefined,
): SourceAddress | AddressProblem {
  if (given.startsWith("-")) return { code: "source-is-option", given };
  if (printable(given) !== given) return { code: "source-control-characters" };
  if (folder !== undefined)
    return {
      kind: "folder",
      fetchFrom: folder,
      shown: folder,
      slug: undefined,
      credentials: undefined,
    };
  const transport = /^([A-Za-z0-9+.-]+)::/.exec(given)?.[1];
  if (transport !== undefined) return { code: "source-transport", transport };
  const scheme = /^([A-Za-z0-9+.-]+):\/\//.exec(given)?.[1]?.toLowerCase();
  if (scheme !== undefined) return parseUrl(given, scheme);
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(.+)$/.exec(given);
  if (scp?.[1]?.startsWith("-") === false)
    return url(given, given, slugOf(scp[1], scp[2] ?? ""), undefined);
  if (/^[A-Za-z0-9][\w-]*\/[\w.-]+$/.test(given)) {
    const slug = given.replace(/\.git$/, "");
    const address = `https://github.com/${slug}.git`;
    return url(address, address, slug, undefined);
  }
  return { code: "source-unclear", given };
}

function parseUrl(
  given: string,
  scheme: string,
): SourceAddress | AddressProblem {
  if (!TRANSPORTS.some((allowed) => allowed === scheme))
    return { code: "source-transport", transport: scheme };
  if (!URL.canParse(given)) return { code: "source-unclear", given };
  const parsed = new URL(given);
  if (parsed.hostname.startsWith("-"))
    return { code: "source-unclear", given: parsed.hostname };
  // Git doesn't use the query, and a token in it would be printed and stored.
  if (scheme === "https" && parsed.search + parsed.hash !== "")
    return { code: "source-query" };
  const slug = slugOf(parsed.hostname, parsed.pathname);
  // ssh requires its user name; over https, a user name may itself be a token.
  if (scheme === "ssh" && parsed.password === "")
    return url(given, given, slug, undefined);
  const { username, password } = parsed;
  const credentials =
    username === "" && password === ""
      ? undefined
      : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const bare =
    credentials === undefined
      ? given
      : given.replace(/^([^/]+:\/\/)[^/@]*@/, "$1");
  return url(bare, bare, slug, credentials);
}

function url(
  fetchFrom: string,
  shown: string,
  slug: string | undefined,
  credentials: string | undefined,
): SourceAddress {
  return { kind: "url", fetchFrom, shown, slug, credentials };
}

function slugOf(host: string | undefined, path: string): string | undefined {
  if (host?.toLowerCase() !== "github.com") return undefined;
  return /^\/?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(path)?.[1];
}

/** Returns a source as an argument for git-lfs, which requires URLs for folders. */
export function lfsRemote({
  kind,
  fetchFrom,
}: Pick<SourceAddress, "kind" | "fetchFrom">): string {
  return kind === "folder" ? pathToFileURL(fetchFrom).href : fetchFrom;
}

/** The settings of a server that shares results between machines. */
export interface RemoteSettings {
  /** Without a final `/`. */
  readonly url: string;
  readonly token: string | undefined;
  /** A name, or an id that begins with `team_`. */
  readonly team: string;
  readonly key: string;
  readonly isReadOnly: boolean;
}

/** The default team, because servers require one. */
const TEAM = "skein";

/**
 * Reads the variables `SKEIN_CACHE_*`. Pure.
 * @returns undefined if no server is configured; a sentence if the settings are wrong
 */
export function remoteSettings({
  SKEIN_CACHE_URL: url = "",
  SKEIN_CACHE_TOKEN: token = "",
  SKEIN_CACHE_TEAM: team = "",
  SKEIN_CACHE_SIGNATURE_KEY: key = "",
  SKEIN_CACHE_MODE: mode = "",
}: Readonly<Record<string, string | undefined>>):
  | RemoteSettings
  | string
  | undefined {
  if (url === "") return undefined;
  if (!/^https?:\/\/[^\s@?#]+$/i.test(url) || !URL.canParse(url))
    return "SKEIN_CACHE_URL isn't the address of a server, such as https://cache.example";
  if (key === "")
    return "SKEIN_CACHE_SIGNATURE_KEY is not set, and nothing unsigned is read or written";
  if (mode !== "" && mode !== "read" && mode !== "write")
    return 'SKEIN_CACHE_MODE must be "read" or "write"';
  // With a character that headers don't support, each request would fail with the token in the message.
  if (!/^[\x21-\x7e]*$/.test(token))
    return "SKEIN_CACHE_TOKEN holds characters that no header can";
  return {
    url: url.replace(/\/+$/, ""),
    token: token === "" ? undefined : token,
    team: team === "" ? TEAM : team,
    key,
    isReadOnly: mode === "read",
  };
}

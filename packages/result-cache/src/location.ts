import { statSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the folder of Skein's caches that all clones share: `SKEIN_CACHE_DIR`, or else `skein` in `XDG_CACHE_HOME`,
 * or else in the user's `.cache`.
 * @param home the user's folder
 * @returns undefined if the home folder doesn't exist; then nothing is cached
 */
export function sharedCacheDir(
  {
    SKEIN_CACHE_DIR: own = "",
    XDG_CACHE_HOME: caches = "",
  }: Readonly<Record<string, string | undefined>>,
  home: string,
): string | undefined {
  if (own !== "") return own;
  // The specification requires ignoring relative paths: https://specifications.freedesktop.org/basedir-spec/latest/
  if (caches.startsWith("/") || /^[a-z]:[\\/]/i.test(caches))
    return join(caches, "skein");
  return statSync(home, { throwIfNoEntry: false })?.isDirectory()
    ? join(home, ".cache", "skein")
    : undefined;
}

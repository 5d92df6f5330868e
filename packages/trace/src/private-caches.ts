import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Variables that name a folder of caches, with the programs that use them. Each gets its own empty folder. */
const CACHE_FOLDERS: Readonly<Record<string, string>> = {
  TMPDIR:
    "Jest's haste map and transforms, tsx, and Node's compile cache are below the temporary folder",
  XDG_CACHE_HOME: "the XDG base directory specification",
  CACHE_DIR: "find-cache-dir: babel-loader, terser-webpack-plugin, ava",
  SKEIN_CACHE_DIR: "Skein itself",
};

/**
 * Programs that are installed among the user's caches: their variable, and their folder there (from each tool's
 * documentation). They stay in place, because with an empty folder a script would download them.
 */
const PROGRAMS: Readonly<Record<string, string>> = {
  COREPACK_HOME: "node/corepack",
  PLAYWRIGHT_BROWSERS_PATH: "ms-playwright",
  CYPRESS_CACHE_FOLDER: "Cypress",
};

/** Variables that would enable a cache, or hide reads from a recorder. They are removed. */
const REMOVED = new Set(["NODE_COMPILE_CACHE", "BABEL_CACHE_PATH"]);

/**
 * Variables that disable caches, or reads that a recorder can't see: libuv's io_uring makes no system call per file.
 */
const SET: Readonly<Record<string, string>> = {
  BABEL_DISABLE_CACHE: "1",
  NODE_DISABLE_COMPILE_CACHE: "1",
  TSX_DISABLE_CACHE: "1",
  UV_USE_IO_URING: "0",
};

/**
 * Returns an environment in which a script finds no cache of an earlier run, because caches hide reads.
 * @param folder the place for the empty folders; it must not exist yet, or be empty
 */
export function withPrivateCaches(
  env: Readonly<Record<string, string>>,
  folder: string,
): Record<string, string> {
  const own: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(env).filter(([name]) => !REMOVED.has(name)),
    ),
    ...SET,
  };
  const { HOME: home, XDG_CACHE_HOME: cache = home && join(home, ".cache") } =
    env;
  for (const [name, path] of Object.entries(PROGRAMS))
    if (cache) own[name] ??= join(cache, path);
  // The names are short, because a socket's path has at most 107 bytes.
  for (const [index, name] of Object.keys(CACHE_FOLDERS).entries()) {
    const path = join(folder, String(index));
    mkdirSync(path, { recursive: true });
    own[name] = path;
  }
  return own;
}

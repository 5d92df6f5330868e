import { basename, relative, sep } from "node:path";
import { watch } from "chokidar";
import type { Repository } from "@skein/git";
import { diskFiles, ignoredOf } from "../files/files.js";

/** Saved files, in groups, because a save, a checkout or a formatter touches several at once. */
export interface Saves {
  /** Resolves when watching has started. All later saves are reported. */
  readonly ready: Promise<void>;
  /**
   * Waits until files were saved and no further save followed for a moment.
   * @returns paths relative to the project's folder, with `/`; empty after `close`
   */
  next(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The time without a further save that ends a group, in milliseconds. */
const QUIET_MS = 20;
/** Matches folders of Git, of installed packages, and of Yarn's own files. */
const UNWATCHED =
  /[\\/](?:\.git|node_modules|\.yarn[\\/](?:cache|unplugged))(?:[\\/]|$)/;

/**
 * Watches a project's files. It doesn't watch folders without sources, and doesn't report files that git ignores.
 * @param root the project's folder, absolute
 */
export function watchSaves(root: string, repository: Repository): Saves {
  const changed = new Set<string>();
  const withoutIgnored = openUnignored(root, repository);
  let isQuiet = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => UNWATCHED.test(path.slice(root.length)),
  });
  watcher.on("all", (event, path) => {
    if (event !== "add" && event !== "change" && event !== "unlink") return;
    changed.add(path);
    isQuiet = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      isQuiet = true;
      wake?.();
    }, QUIET_MS);
  });
  return {
    ready: new Promise((resolve, reject) => {
      watcher.once("ready", resolve).once("error", reject);
    }),
    async next() {
      for (;;) {
        while (!isClosed && !(isQuiet && changed.size > 0))
          await new Promise<void>((resolve) => (wake = resolve));
        if (isClosed) return [];
        const paths = [...changed];
        changed.clear();
        const saved = await withoutIgnored(
          paths.map((path) => relative(root, path).replaceAll(sep, "/")),
        );
        if (saved.length > 0) return saved;
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      wake?.();
      await watcher.close();
    },
  };
}

/**
 * Returns a function that removes ignored files from a list of paths. It doesn't ask git again about a file until a
 * .gitignore is saved.
 */
function openUnignored(
  root: string,
  repository: Repository,
): (paths: readonly string[]) => Promise<readonly string[]> {
  const listing = diskFiles(root, () => Promise.resolve(repository)).list();
  // Without the list, the function asks git about each file.
  const opening = listing
    .then((all) => new Set(all))
    .catch(() => new Set<string>());
  return async (paths) => {
    const known = await opening;
    if (paths.some((path) => basename(path) === ".gitignore")) known.clear();
    const unknown = paths.filter((path) => !known.has(path));
    const ignored =
      unknown.length === 0
        ? new Set<string>()
        : await ignoredOf(repository, root, unknown);
    for (const path of unknown) if (!ignored.has(path)) known.add(path);
    return paths.filter((path) => !ignored.has(path));
  };
}

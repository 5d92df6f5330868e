import { basename, join, relative, sep } from "node:path";
import { watch } from "chokidar";
import type { Repository } from "@skein/git";
import { diskFiles } from "../files.js";

/** Files that are saved, in groups: a save, a checkout or a formatter touches several at once. */
export interface Saves {
  /** Resolves when watching has begun: what is saved from then on is seen. */
  readonly ready: Promise<void>;
  /**
   * Waits for files that were saved, and until nothing has been saved for a moment.
   * @returns paths from the project's folder, with `/`; empty when it was closed
   */
  next(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Milliseconds without a further save. */
const QUIET_MS = 20;
/** Folders of Git, of installed packages, and of Yarn's own files. */
const UNWATCHED =
  /[\\/](?:\.git|node_modules|\.yarn[\\/](?:cache|unplugged))(?:[\\/]|$)/;

/**
 * Watches a project's files. Folders in which no source lies are not watched, and files that git ignores are not handed on.
 * @param root the project's folder
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

/** Returns paths without those that git ignores. Git is not asked again about a file until a .gitignore is saved. */
function openUnignored(
  root: string,
  repository: Repository,
): (paths: readonly string[]) => Promise<readonly string[]> {
  const listing = diskFiles(root, () => Promise.resolve(repository)).list();
  // Without the list, git is asked about each file.
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

/** @param paths from the project's folder */
async function ignoredOf(
  { git }: Repository,
  root: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const absolute = paths.map((path) => join(root, path));
  const { stdout } = await git.run(["check-ignore", "-z", "--stdin"], {
    input: `${absolute.join("\0")}\0`,
    answers: [0, 1],
    // It knows no pathspecs, and refuses to run where they are to be taken as they are.
    env: { GIT_LITERAL_PATHSPECS: "0" },
  });
  const ignored = new Set(stdout.toString("utf8").split("\0"));
  return new Set(paths.filter((_, at) => ignored.has(absolute[at] ?? "")));
}

import { relative, sep } from "node:path";
import { watch } from "chokidar";
import type { Repository } from "@skein/git";

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
const QUIET_MS = 50;
/** Folders of Git, of installed packages, and of Yarn's own files. */
const UNWATCHED =
  /[\\/](?:\.git|node_modules|\.yarn[\\/](?:cache|unplugged))(?:[\\/]|$)/;

/**
 * Watches a project's files. Folders in which no source lies are not watched, and files that git ignores are not handed on.
 * @param root the project's folder
 */
export function watchSaves(root: string, repository: Repository): Saves {
  const changed = new Set<string>();
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
        const ignored = await ignoredOf(repository, paths);
        const saved = paths.filter((path) => !ignored.has(path));
        if (saved.length > 0)
          return saved.map((path) => relative(root, path).replaceAll(sep, "/"));
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

/** @param paths absolute */
async function ignoredOf(
  { git }: Repository,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const { stdout } = await git.run(["check-ignore", "-z", "--stdin"], {
    input: `${paths.join("\0")}\0`,
    answers: [0, 1],
    // It knows no pathspecs, and refuses to run where they are to be taken as they are.
    env: { GIT_LITERAL_PATHSPECS: "0" },
  });
  return new Set(stdout.toString("utf8").split("\0").filter(Boolean));
}

import { isUtf8 } from "node:buffer";
import { posix } from "node:path";
import { openObjects, parseLsTree, type Git } from "@skein/git";
import type { TreeFile } from "../tree/draft.js";
import type { Placement } from "../migration.js";
import { fieldsIn } from "@skein/reporting/json-fields";

/** The migrated files at the source's commit that will be merged. Paths are those in the target. */
export interface TipFacts {
  readonly files: number;
  /** The name and folder of every package.json. */
  readonly manifests: readonly {
    readonly dir: string;
    readonly name: string | undefined;
  }[];
  readonly submodules: readonly string[];
  /** Symlinks that are absolute or leave their placement. */
  readonly escapingLinks: readonly {
    readonly path: string;
    readonly to: string;
  }[];
  /** Names in one folder that differ only by case. */
  readonly caseTwins: readonly (readonly string[])[];
  /** Paths longer than Windows opens by default. */
  readonly longPaths: readonly string[];
  /** Paths of the source that aren't UTF-8, with U+FFFD for each invalid byte. */
  readonly notUtf8: readonly string[];
  /** Placements without files. */
  readonly missing: readonly string[];
}

/** MAX_PATH of Windows, counted from the top of the repository. */
const LONGEST_PATH = 260;

/** Surveys the files of the commit. It reads only manifests and symlinks. */
export async function surveyTip(
  git: Git,
  commit: string,
  placements: readonly Placement[],
): Promise<TipFacts> {
  const { stdout } = await git.run([
    "ls-tree",
    "-r",
    "-z",
    "--full-tree",
    commit,
  ]);
  const all = parseLsTree(stdout);
  const placed = placements.map((placement) => ({
    placement,
    files: all.flatMap((file) => {
      const path = placedPath(placement, file.path);
      return path === undefined ? [] : [{ ...file, path }];
    }),
  }));
  const files = placed.flatMap((one) => one.files);
  using objects = openObjects(git);
  const read = async (id: string) =>
    (await objects.read(id))?.content.toString("utf8") ?? "";
  const links = await Promise.all(
    placed.map(({ placement, files: own }) =>
      findEscapingLinks(own, placement.to, read),
    ),
  );
  const paths = files.map(({ path }) => path);
  return {
    files: files.length,
    manifests: await readManifests(files, read),
    submodules: files
      .filter(({ mode }) => mode === "160000")
      .map(({ path }) => path),
    escapingLinks: links.flat(),
    caseTwins: findCaseTwins(paths),
    notUtf8: isUtf8(stdout) ? [] : namesNotUtf8(stdout),
    longPaths: paths.filter((path) => path.length > LONGEST_PATH),
    missing: placed
      .filter((one) => one.files.length === 0)
      .map(({ placement }) => placement.from),
  };
}

/** Reads the names in all manifests, except those of dependencies. */
function readManifests(
  files: readonly TreeFile[],
  read: (id: string) => Promise<string>,
): Promise<TipFacts["manifests"]> {
  const manifests = files.filter(
    ({ path }) =>
      posix.basename(path) === "package.json" &&
      !path.split("/").includes("node_modules"),
  );
  return Promise.all(
    manifests.map(async ({ path, id }) => {
      const { name } = fieldsIn(await read(id));
      return {
        dir: posix.dirname(path),
        name: typeof name === "string" ? name : undefined,
      };
    }),
  );
}

/** Finds symlinks that point out of a folder. */
async function findEscapingLinks(
  files: readonly TreeFile[],
  dir: string,
  read: (id: string) => Promise<string>,
): Promise<TipFacts["escapingLinks"]> {
  const links = await Promise.all(
    files
      .filter(({ mode }) => mode === "120000")
      .map(async ({ path, id }) => ({ path, to: await read(id) })),
  );
  return links.filter(
    ({ path, to }) =>
      posix.isAbsolute(to) ||
      !isInside(posix.join(posix.dirname(path), to), dir),
  );
}

/** Returns the paths that aren't UTF-8. @param list the output of `ls-tree -z` */
function namesNotUtf8(list: Buffer): readonly string[] {
  const names: string[] = [];
  for (let start = 0; start < list.length;) {
    const end = list.indexOf(0, start);
    const entry = list.subarray(start, end);
    if (!isUtf8(entry))
      names.push(entry.subarray(entry.indexOf("\t") + 1).toString("utf8"));
    start = end + 1;
  }
  return names;
}

/** Returns the destination of a source path; undefined if it isn't migrated. */
export function placedPath(
  { from, to }: Placement,
  path: string,
): string | undefined {
  if (from === "") return `${to}/${path}`;
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : undefined;
}

function isInside(path: string, dir: string): boolean {
  const from = posix.relative(dir, path);
  return from !== ".." && !from.startsWith("../");
}

function findCaseTwins(
  paths: readonly string[],
): readonly (readonly string[])[] {
  const byFold = new Map<string, Set<string>>();
  for (const path of paths) {
    const parts = path.split("/");
    for (let depth = 1; depth <= parts.length; depth++) {
      const at = parts.slice(0, depth).join("/");
      const fold = at.normalize("NFC").toLowerCase();
      const twins = byFold.get(fold);
      if (twins) twins.add(at);
      else byFold.set(fold, new Set([at]));
    }
  }
  return [...byFold.values()]
    .filter((twins) => twins.size > 1)
    .map((twins) => [...twins]);
}

import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { packagesNamedBy } from "@skein/references/scan-file";
import { isRecord } from "@skein/reporting/is-record";
import { placedPath } from "../../../survey/tip.js";
import type { TreeView } from "../../../tree/draft.js";
import type { StepContext } from "../../step.js";
import { fieldsOf, type PackageFile } from "../manifest/package-files.js";

/** A file or folder of the source that isn't migrated, and the place where the settings look for it here. */
export interface Companion {
  readonly home: string;
  readonly to: string;
}

export interface Companions {
  readonly paths: readonly Companion[];
  /** Dependencies of the source's root that the companions use and that nothing declares here: `name@range`. */
  readonly packages: readonly string[];
}

/** The most files that count as companions. A larger closure would be half of the source. */
const MOST = 200;

/** Longer files hold data. */
const LONGEST = 200_000;

/** Suffixes that Node, its loaders and TypeScript add to a path or replace. */
const VARIANTS: readonly ((path: string) => string)[] = [
  (path) => path,
  ...[".js", ".cjs", ".mjs", ".ts", ".mts", ".json"].map(
    (end) => (path: string) => path + end,
  ),
  (path) => path.replace(/js$/, "ts"),
  (path) => `${path}/index.js`,
  (path) => `${path}/index.ts`,
];

/**
 * Finds companions for `--only`: paths in the rest of the source that settings of the chosen folders name, and the
 * paths that those files name in turn.
 * @param settings files of the packages that hold paths
 */
export async function findCompanions(
  view: TreeView,
  { source, placements }: StepContext,
  settings: readonly PackageFile[],
): Promise<Companions> {
  const found = new Map<string, Companion>();
  const open: (Companion & {
    readonly text: string;
    readonly base: Companion;
  })[] = [];
  for (const file of settings) {
    const from = placements.find(({ to }) => to === file.to)?.from ?? "";
    if (from === "") continue;
    const text = (await view.content(file))?.toString("utf8") ?? "";
    const base = { home: `${from}/x`, to: `${file.to}/x` };
    const home = `${from}/${file.inside}`;
    open.push({ home, to: file.path, text, base });
  }
  for (let next = open.pop(); next && found.size < MOST; next = open.pop()) {
    for (const [reference = ""] of next.text.matchAll(
      /(?<![\w./>])\.{1,2}\/[\w@./-]*/g,
    )) {
      // Jest resolves paths relative to the package's folder, wherever they are written.
      for (const place of [next, next.base]) {
        const one = await lookUp(reference, place);
        if (!one || found.has(one.home)) continue;
        found.set(one.home, one);
        const entry = await source.stat(one.home);
        const bytes = entry && (await source.content(entry));
        if (bytes && bytes.length < LONGEST)
          open.push({ ...one, text: bytes.toString("utf8"), base: next.base });
      }
    }
  }
  const outermost = [...found.values()].filter(
    ({ home }) =>
      ![...found.keys()].some((other) => home.startsWith(`${other}/`)),
  );
  const paths = await inFolders(outermost, source);
  return { paths, packages: await packagesOf([...found.keys()], source, view) };

  /** Resolves a relative path in the source, if that file isn't migrated and nothing has its place here. */
  async function lookUp(
    reference: string,
    { home, to }: Companion,
  ): Promise<Companion | undefined> {
    for (const variant of VARIANTS) {
      const path = variant(reference).replace(/\/+$/, "");
      const wanted = posix.join(posix.dirname(home), path);
      const place = posix.join(posix.dirname(to), path);
      if (/^\.{0,2}(?:\/|$)/.test(wanted) || /^\.{0,2}(?:\/|$)/.test(place))
        continue;
      const isHere = placements.some(
        (one) =>
          placedPath(one, wanted) !== undefined ||
          one.from.startsWith(`${wanted}/`),
      );
      if (isHere || (await source.list(wanted)).length === 0) continue;
      return (await view.list(place)).length > 0
        ? undefined
        : { home: wanted, to: place };
    }
    return undefined;
  }
}

/** Returns the external packages that files name and only the source declares, as `name@range`. */
async function packagesOf(
  files: readonly string[],
  source: StepContext["source"],
  view: TreeView,
): Promise<string[]> {
  const there = declaredIn(await fieldsOf(source, ""));
  const here = declaredIn(await fieldsOf(view, ""));
  const names = new Set<string>();
  for (const path of files) {
    const file = await source.stat(path);
    if (!file) continue;
    for (const { name } of await packagesNamedBy(path, file.mode, () =>
      source.content(file),
    ))
      if (!isBuiltin(name) && !here.has(name)) names.add(name);
  }
  return [...names].sort().flatMap((name) => {
    const range = there.get(name);
    return range === undefined ? [] : [`${name}@${range}`];
  });
}

/** Replaces files by their folder if more than two of them, and at least a third of the folder, are companions. */
async function inFolders(
  paths: readonly Companion[],
  source: TreeView,
): Promise<readonly Companion[]> {
  const folders = new Map<string, Companion[]>();
  for (const one of paths) {
    const top = one.home.includes("/") ? (one.home.split("/")[0] ?? "") : "";
    folders.set(top, [...(folders.get(top) ?? []), one]);
  }
  const grouped: Companion[] = [];
  for (const [top, inside] of folders) {
    const places = new Set(
      inside.map(({ home, to }) =>
        to.endsWith(home.slice(top.length))
          ? to.slice(0, to.length - home.length + top.length)
          : undefined,
      ),
    );
    const [to] = places;
    const isWhole =
      top !== "" &&
      places.size === 1 &&
      inside.length > 2 &&
      inside.length * 3 >= (await source.list(top)).length;
    grouped.push(
      ...(isWhole && to !== undefined ? [{ home: top, to }] : inside),
    );
  }
  return grouped.sort((a, b) => (a.home < b.home ? -1 : 1));
}

function declaredIn(
  fields: Readonly<Record<string, unknown>> | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    ["devDependencies", "dependencies"].flatMap((field) =>
      Object.entries(isRecord(fields?.[field]) ? fields[field] : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    ),
  );
}

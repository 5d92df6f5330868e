import type { TreeView } from "../tree/draft.js";

/** A range that refers to files of the project: a folder, a tarball, a generator, a patch outside `.yarn`. */
const ON_FILES =
  /^(?:file|link|portal|exec):|^\.{0,2}\/|^~\/|^patch:.*#(?!(?:~|optional!)?builtin|(?:~\/|\.\/)?\.yarn\/)/;

const FIELDS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "resolutions",
];

/**
 * Returns which files Yarn needs to install: manifests, the files at the top, and its own folder. In a big workspace,
 * these are a small part of all files.
 * @returns undefined if this can't be known, so that all files are needed: dependencies on files, plugins, programs
 * elsewhere
 */
export async function neededToInstall(
  view: TreeView,
): Promise<((path: string) => boolean) | undefined> {
  const rc = (await view.read(".yarnrc.yml"))?.toString("utf8") ?? "";
  // Catalogs and packageExtensions hold ranges, too, but they rarely refer to files.
  if (
    /^plugins:|^yarnPath:\s*(?!\s|["']?\.yarn\/)|["'\s](?:file|link|portal|exec|patch):/m.test(
      rc,
    )
  )
    return undefined;
  const manifests = (await view.list("")).filter(({ path }) =>
    /(?:^|\/)package\.json$/.test(path),
  );
  for (const file of manifests) {
    const text = (await view.content(file))?.toString("utf8") ?? "";
    if (rangesIn(text)?.some((range) => ON_FILES.test(range)) !== false)
      return undefined;
  }
  return (path) =>
    !path.includes("/") ||
    path.startsWith(".yarn/") ||
    path.endsWith("/package.json");
}

/** Returns all ranges of a manifest; undefined if it can't be parsed. */
function rangesIn(text: string): readonly string[] | undefined {
  try {
    const manifest = JSON.parse(text.replace(/^\uFEFF/, "")) as Record<
      string,
      unknown
    >;
    return FIELDS.flatMap((field) =>
      Object.values((manifest[field] ?? {}) as Record<string, unknown>),
    ).map(String);
  } catch {
    return undefined;
  }
}

import { parseManifest } from "@skein/workspaces";
import { isDevelopmentFile } from "@skein/references/audit";
import { packagesNamedBy } from "@skein/references/scan-file";
import { readCatalogs } from "@skein/versions";
import type { StepContext } from "../steps/step.js";
import type { TreeView } from "../tree/draft.js";
import { type WorkspaceFacts } from "./facts.js";
import type { LinkFacts } from "./links.js";
import type { Use } from "./phantoms.js";

/** Folders whose code isn't published: packages that they use aren't dependencies of the package's users. */
const BESIDE_SOURCES =
  /^(?:\.[^/]+|examples?|demos?|samples?|docs?|website|scripts?|benchmarks?|perf|fixtures?|typings-tests?|test-d)\/|^(?:Gruntfile|gulpfile|Gulpfile|Jakefile|Makefile)\.[^/]+$/;

/** Returns whether dependents of a package don't need a file, given by its path in the package. */
export function isUnshipped(inside: string): boolean {
  return isDevelopmentFile(inside) || BESIDE_SOURCES.test(inside);
}

/** Returns the packages that each file of the newcomers names. */
export async function surveyUses(
  view: TreeView,
  { newcomers }: WorkspaceFacts,
): Promise<readonly Use[]> {
  const uses: Use[] = [];
  for (const member of newcomers) {
    const nested = newcomers.filter(({ dir }) =>
      dir.startsWith(`${member.dir}/`),
    );
    for (const file of await view.list(member.dir)) {
      const { path, mode } = file;
      if (path.includes("/node_modules/")) continue;
      if (nested.some(({ dir }) => path.startsWith(`${dir}/`))) continue;
      const named = await packagesNamedBy(path, mode, () => view.content(file));
      const inside = path.slice(member.dir.length + 1);
      const isDevelopment = isUnshipped(inside);
      uses.push(
        ...named.map((one) => ({ ...one, file: path, member, isDevelopment })),
      );
    }
  }
  return uses;
}

/** The source's own facts: its root's dependencies, its packages' versions, its catalogs. */
export interface Home {
  readonly links: LinkFacts["home"];
  /** Empty if the migrated package is the source's root. */
  readonly rootRanges: ReadonlyMap<string, string>;
}

/** Reads the facts of the source. Unreadable manifests are ignored. */
export async function surveyHome({
  source,
  placements,
}: StepContext): Promise<Home> {
  const versions = new Map<string, string>();
  for (const file of await source.list("")) {
    if (!/(^|\/)package\.json$/.test(file.path)) continue;
    if (file.path.includes("node_modules/")) continue;
    const manifest = tryManifest(await source.content(file), file.path);
    const version = manifest?.fields["version"];
    if (manifest?.name !== undefined && typeof version === "string")
      versions.set(manifest.name, version);
  }
  const catalogs = [
    readCatalogs((await source.read(".yarnrc.yml"))?.toString() ?? ""),
    readCatalogs((await source.read("pnpm-workspace.yaml"))?.toString() ?? ""),
  ];
  const isWhole = placements.some(({ from }) => from === "");
  const root = isWhole
    ? undefined
    : tryManifest(await source.read("package.json"), "package.json");
  return {
    links: {
      versions,
      catalogRange: (ident, range) => {
        const name = range.slice("catalog:".length);
        for (const catalog of catalogs) {
          const found = catalog.get(name === "default" ? "" : name)?.get(ident);
          if (found !== undefined) return found;
        }
        return undefined;
      },
    },
    rootRanges: new Map(
      (root?.dependencies ?? [])
        .filter(
          ({ range, field }) =>
            field !== "peerDependencies" &&
            !/^(?:workspace|catalog):/.test(range),
        )
        .map(({ ident, range }) => [ident, range]),
    ),
  };
}

function tryManifest(bytes: Buffer | undefined, path: string) {
  try {
    return bytes && parseManifest(bytes.toString("utf8"), path);
  } catch {
    return undefined;
  }
}

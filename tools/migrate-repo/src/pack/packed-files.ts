import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { fieldsOf } from "../steps/clean-up/manifest/package-files.js";
import type { TreeView } from "../tree/draft.js";
import type { Fields } from "@skein/reporting/json-fields";

export interface PackQuestion {
  /** Further files that may exist, such as those that a build writes. */
  readonly probes?: readonly string[];
  /** Whether to ignore the ignore files of parent folders, as in a separate repository. */
  readonly alone?: boolean;
  /** A manifest that replaces the existing one, and a file to ignore. */
  readonly instead?: { readonly fields: Fields; readonly without: string };
  /** Paths, relative to the package's folder, that replace all existing files in the query. They need not exist. */
  readonly only?: readonly string[];
}

/** Returns whether a file has rules for packing. The manifest doesn't count here. */
export function isPackRule(path: string): boolean {
  return /(?:^|\/)(?:\.npmignore|\.gitignore)$/.test(path);
}

/** Returns the paths above a package's folder where files with rules for packing may be. */
export function packRulesAbove(dir: string): readonly string[] {
  const found: string[] = [];
  for (let above = dir; above !== "" && above !== ".";) {
    above = posix.dirname(above);
    found.push(
      posix.join(above, ".npmignore"),
      posix.join(above, ".gitignore"),
    );
  }
  return found;
}

/**
 * Lists the files that `npm pack` would pack. It uses npm's own library (npm-packlist), which reads names, the manifest
 * and ignore files. Other files of the package are empty here, and none of its scripts runs.
 * @param dir the package's folder; `""` for the top
 * @param scratch a folder for temporary files
 * @returns paths relative to the package's folder, sorted; undefined if its manifest is missing or unreadable
 */
export async function packedFiles(
  view: TreeView,
  dir: string,
  scratch: string,
  { probes = [], alone = false, instead, only }: PackQuestion = {},
): Promise<readonly string[] | undefined> {
  const fields = instead?.fields ?? (await fieldsOf(view, dir));
  if (!fields) return undefined;
  const { default: packlist } = await import("npm-packlist");
  const root = await mkdtemp(join(scratch, "pack-"));
  const made = new Set<string>();
  const put = async (file: string, bytes: Buffer | undefined) => {
    const folder = dirname(file);
    if (!made.has(folder)) await mkdir(folder, { recursive: true });
    made.add(folder);
    await writeFile(file, bytes ?? "");
  };
  try {
    const path = join(root, dir);
    await mkdir(path, { recursive: true });
    for (const file of await view.list(dir)) {
      const inside = dir === "" ? file.path : file.path.slice(dir.length + 1);
      if (!file.mode.startsWith("100") || inside === instead?.without) continue;
      const isRule = isPackRule(inside);
      if (only && !isRule && inside !== "package.json") continue;
      await put(
        join(path, inside),
        isRule ? await view.content(file) : undefined,
      );
    }
    for (const name of [...probes, ...(only ?? [])])
      if (!isPackRule(name)) await put(join(path, name), undefined);
    for (const rule of alone ? [] : packRulesAbove(dir)) {
      const bytes = await view.read(rule);
      if (bytes) await put(join(root, rule), bytes);
    }
    const found = await packlist(
      {
        path,
        package: packFields(fields),
        isProjectRoot: true,
        edgesOut: new Map<string, unknown>(),
      },
      dir === "" ? undefined : { prefix: root, workspaces: [path] },
    );
    return found.sort();
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns the fields that decide what is packed, in the form to which npm normalises them. */
export function packFields(fields: Fields): Fields {
  const { main, browser, bin, files } = fields;
  return {
    ...(typeof main === "string" && { main }),
    ...(typeof browser === "string" && { browser }),
    bin:
      typeof bin === "string"
        ? { bin }
        : typeof bin === "object" && bin !== null
          ? bin
          : {},
    ...(Array.isArray(files) && {
      files: files.filter((one) => typeof one === "string"),
    }),
  };
}

import { posix } from "node:path";
import type { Placement } from "../../migration.js";
import type { TreeView } from "../../tree/draft.js";
import type { OwnLock } from "./own-lock.js";

/** The package's own lockfile, or why it can't be used. */
export type OwnLockResult =
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly lock: OwnLock }
  | {
      readonly kind: "unreadable";
      readonly file: string;
      readonly why: string;
    };

/** The names of lockfiles, by precedence if a package has several. */
const NAMES = [
  "yarn.lock",
  "pnpm-lock.yaml",
  "npm-shrinkwrap.json",
  "package-lock.json",
] as const;

/** Reads the lockfile that the package used in the source: its own, or that of a folder above it. */
export async function readOwnLock(
  source: TreeView,
  placements: readonly Placement[],
): Promise<OwnLockResult> {
  let failed: OwnLockResult = { kind: "none" };
  for (const dir of foldersUp(placements[0]?.from ?? "")) {
    for (const name of NAMES) {
      const file = dir === "" ? name : `${dir}/${name}`;
      const text = (await source.read(file))?.toString("utf8");
      if (text === undefined) continue;
      try {
        const lock = await parse(name, text, file, source, dir);
        if (lock.versions.size > 0) return { kind: "read", lock };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        failed = {
          kind: "unreadable",
          file,
          why: why.split("\n")[0] ?? "",
        };
      }
    }
  }
  return failed;
}

/** Parses a lockfile. It loads only the parser for this kind of lockfile. */
async function parse(
  name: (typeof NAMES)[number],
  text: string,
  file: string,
  source: TreeView,
  dir: string,
): Promise<OwnLock> {
  switch (name) {
    case "yarn.lock": {
      const { readYarn } = await import("./yarn.js");
      return readYarn(text, file);
    }
    case "pnpm-lock.yaml": {
      const { readPnpm } = await import("./pnpm.js");
      return readPnpm(text, file);
    }
    case "npm-shrinkwrap.json":
    case "package-lock.json": {
      const { readNpm } = await import("./npm.js");
      const manifest = await source.read(posix.join(dir, "package.json"));
      return readNpm(
        text,
        file,
        JSON.parse(manifest?.toString("utf8") ?? "{}") as object,
      );
    }
  }
}

function foldersUp(from: string): readonly string[] {
  const dirs = [];
  for (let dir = from; dir !== "" && dir !== "."; dir = posix.dirname(dir))
    dirs.push(dir);
  return [...dirs, ""];
}

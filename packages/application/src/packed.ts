import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./process.js";
import { yarnPath } from "@skein/testing";

/** The top of this repository. */
export const skeinRoot = fileURLToPath(new URL("../../..", import.meta.url));

/** A package as it would be published. */
export interface Tarball {
  readonly name: string;
  readonly file: string;
  /** The paths inside, without the leading `package/`. */
  readonly paths: readonly string[];
  readonly manifest: PackedManifest;
}

/** The fields of a packed package.json that the tests check. */
export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
}

/**
 * Packs every public package with `yarn pack`. It makes no request to the registry. A run of several suites
 * (`.ci/run`) packs once: the first keeps its tarballs in the folder `SKEIN_TARBALLS`, and the others copy them.
 */
export async function packAll(folder: string): Promise<Tarball[]> {
  const kept = process.env["SKEIN_TARBALLS"];
  if (kept !== undefined && existsSync(kept)) {
    await cp(kept, folder, { recursive: true });
  } else {
    await pack(folder);
    if (kept !== undefined) {
      await cp(folder, `${kept}.new`, { recursive: true });
      await rename(`${kept}.new`, kept);
    }
  }
  const files = (await readdir(folder)).toSorted();
  return Promise.all(files.map((file) => readTarball(join(folder, file))));
}

async function pack(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { exitCode, stdout, stderr } = await runProgram(
    skeinRoot,
    process.execPath,
    yarnPath,
    ...["workspaces", "foreach", "--all", "--no-private"],
    ...["pack", "--out", join(folder, "%s.tgz")],
  );
  if (exitCode !== 0) throw new Error(`yarn pack: ${stdout}${stderr}`);
}

async function readTarball(file: string): Promise<Tarball> {
  const list = await runProgram(".", "tar", "-tzf", file);
  const text = await runProgram(".", "tar", "-xzOf", file, MANIFEST);
  const manifest = JSON.parse(text.stdout) as PackedManifest;
  return {
    name: manifest.name,
    file,
    manifest,
    paths: list.stdout
      .trim()
      .split("\n")
      .map((path) => path.replace(/^package\//, "")),
  };
}

const MANIFEST = "package/package.json";

/** Returns the text of a file of this repository. */
export function repositoryFile(path: string): string {
  return readFileSync(join(skeinRoot, path), "utf8");
}

/** Returns a tarball's path as a range, relative to the workspace that installs it. */
export function tarballRange({ file }: Tarball): string {
  return `file:../tarballs/${basename(file)}`;
}

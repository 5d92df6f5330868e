import { readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
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
  /** Paths inside, without the leading `package/`. */
  readonly paths: readonly string[];
  readonly manifest: PackedManifest;
}

/** What the tests look at in a packed package.json. */
export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
}

/** Packs every package that is not private, by `yarn pack`. Asks nothing of the registry. */
export async function packAll(folder: string): Promise<Tarball[]> {
  await mkdir(folder, { recursive: true });
  const { exitCode, stdout, stderr } = await runProgram(
    skeinRoot,
    process.execPath,
    yarnPath,
    ...["workspaces", "foreach", "--all", "--no-private"],
    ...["pack", "--out", join(folder, "%s.tgz")],
  );
  if (exitCode !== 0) throw new Error(`yarn pack: ${stdout}${stderr}`);
  const files = (await readdir(folder)).toSorted();
  return Promise.all(files.map((file) => readTarball(join(folder, file))));
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

/** What stands in a file of this repository. */
export function repositoryFile(path: string): string {
  return readFileSync(join(skeinRoot, path), "utf8");
}

/** A tarball's name as a path inside the workspace that installs it. */
export function tarballRange({ file }: Tarball): string {
  return `file:../tarballs/${basename(file)}`;
}

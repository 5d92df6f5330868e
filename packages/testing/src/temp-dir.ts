import {
  mkdtemp,
  mkdir,
  realpath,
  rm,
  symlink,
  writeFile,
  chmod,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The content of a file, a symlink, or an executable. */
export type FileSpec =
  | string
  | Buffer
  | { readonly symlink: string }
  | { readonly executable: string };

/** Files by path, separated by `/`. */
export type Files = Readonly<Record<string, FileSpec>>;

/** Creates an empty folder and returns its real path. Disposal removes it (`await using dir = await tempDir()`). */
export async function tempDir(
  prefix = "skein-",
): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  return {
    path,
    [Symbol.asyncDispose]: () =>
      rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/**
 * Creates an empty folder for all tests of a suite, and returns its real path.
 * @param afterAll Jest's, which removes it
 */
export async function suiteDir(
  afterAll: (act: () => Promise<void>) => void,
  prefix?: string,
): Promise<string> {
  const dir = await tempDir(prefix);
  afterAll(async () => dir[Symbol.asyncDispose]());
  return dir.path;
}

/** Writes files below a folder, and creates their folders. */
export async function writeFiles(dir: string, files: Files): Promise<void> {
  for (const [path, spec] of Object.entries(files)) {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    if (typeof spec === "string" || Buffer.isBuffer(spec))
      await writeFile(file, spec);
    else if ("symlink" in spec) await symlink(spec.symlink, file);
    else {
      await writeFile(file, spec.executable);
      await chmod(file, 0o755);
    }
  }
}

/** Formats an object as the text of a package.json: indented by two spaces, with a newline at the end. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns the package.json of a workspace's root, whose packages are in `packages`. */
export function rootManifest(name: string): string {
  return json({ name, private: true, workspaces: ["packages/*"] });
}

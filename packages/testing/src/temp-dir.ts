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

/** A file's content; or a symlink, or an executable. */
export type FileSpec =
  | string
  | Buffer
  | { readonly symlink: string }
  | { readonly executable: string };

/** Files by path, `/` between its parts. */
export type Files = Readonly<Record<string, FileSpec>>;

/** A new empty folder with its real path; goes away when `dispose` is called (`await using dir = await tempDir()`). */
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

/** Writes files below a folder, with the folders they need. */
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

/** An object as package.json text: two spaces, a newline at the end. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

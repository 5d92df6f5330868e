import { cp, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { certificates, gitIn, yarnPath } from "@skein/testing";
import { packAll, repositoryFile, type Tarball } from "../packed.js";
import { runProgram } from "../process.js";

/** The tools in their published form, for a workspace that installs them from tarballs in its own folder. */
export interface PackedTools {
  readonly tarballs: readonly Tarball[];
  /** Members of the workspace's package.json. */
  readonly manifest: {
    readonly packageManager: string;
    readonly devDependencies: Readonly<Record<string, string>>;
    readonly resolutions: Readonly<Record<string, string>>;
  };
}

/** Packs the tools into the folder `tarballs` of a workspace. @param folder the folder above the workspace */
export async function packTools(
  folder: string,
  work: string,
): Promise<PackedTools> {
  const tarballs = await packAll(join(folder, "tarballs"));
  await mkdir(work, { recursive: true });
  await cp(join(folder, "tarballs"), join(work, "tarballs"), {
    recursive: true,
  });
  const resolutions: Record<string, string> = {};
  for (const { name, file } of tarballs)
    resolutions[name] = `file:./tarballs/${basename(file)}`;
  const { packageManager } = JSON.parse(repositoryFile("package.json")) as {
    packageManager: string;
  };
  const devDependencies = Object.fromEntries(
    Object.entries(resolutions).filter(([name]) =>
      ["@skein/affected", "@skein/ci-dispatch"].includes(name),
    ),
  );
  // The packages of the tools aren't on the registry at this version yet.
  return {
    tarballs,
    manifest: { packageManager, devDependencies, resolutions },
  };
}

/** Installs a workspace and commits its files on the branch `main`. @returns the commit */
export async function commitWorkspace(
  work: string,
  message: string,
): Promise<string> {
  const { exitCode, stdout } = await runProgram(
    { cwd: work, env: certificates },
    ...([process.execPath, yarnPath, "install"] as const),
  );
  if (exitCode !== 0) throw new Error(stdout);
  gitIn(work, "init", "--quiet", "--initial-branch=main");
  gitIn(work, "add", "--all");
  return commitAll(work, message);
}

/** Commits all changes of tracked files. @returns the commit */
export function commitAll(work: string, message: string): string {
  gitIn(work, "commit", "--quiet", "--all", `--message=${message}`);
  return gitIn(work, "rev-parse", "HEAD").trim();
}

/** Clones a workspace into a bare repository that serves partial clones, as GitHub does. @returns its path */
export function makeOrigin(folder: string, work: string): string {
  const origin = join(folder, "origin.git");
  gitIn(work, "clone", "--quiet", "--bare", ".", origin);
  for (const setting of ["allowFilter", "allowAnySHA1InWant"])
    gitIn(origin, "config", `uploadpack.${setting}`, "true");
  return origin;
}

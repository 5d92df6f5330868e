import { existsSync, readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Repository } from "@skein/git";
import { Failure, printable, usageFailure } from "@skein/reporting";
import type { Project } from "@skein/workspaces";
import type { AffectedWorld } from "../world.js";
import type { Answer, Commit } from "./comparison.js";
import { matchPackages, peerFailure } from "./peer.js";
import type { KnownPackage, Peer } from "./peer.js";
import { runProgram } from "./run-program.js";
import { borrowModules, openScratchClone } from "./scratch-clone.js";
import type { ScratchClone } from "./scratch-clone.js";

/** The other side's answer for one commit. */
export type Theirs = Answer & { readonly unmatched: readonly string[] };

/** The other side of a comparison, ready for questions. */
export interface Other extends AsyncDisposable {
  /** Its version, if it reports one. */
  readonly version: string | undefined;
  /**
   * Returns the packages that a commit affects.
   * @param head the project at the commit
   * @throws {Failure} if it has no answer for this commit
   */
  ask(commit: Commit, head: Project): Promise<Theirs>;
}

export interface OpenPeerOptions {
  readonly repository: Repository;
  /** The project's folder, absolute. */
  readonly root: string;
  /** The project's folder, relative to the top of the repository: "" or with a final `/`. */
  readonly prefix: string;
  /** The program's file, as the user named it; undefined for the one that the repository installs. */
  readonly bin: string | undefined;
}

type World = Pick<AffectedWorld, "cwd" | "env" | "signal" | "node" | "now">;

/**
 * Opens another tool for questions: finds its program and makes the clone that it works in.
 * @throws {Failure} (usage) if the program doesn't exist or doesn't start
 */
export async function openPeer(
  peer: Peer,
  world: World,
  { repository, root, prefix, bin }: OpenPeerOptions,
): Promise<Other> {
  const file = programOf(peer, { cwd: world.cwd, root, bin });
  const clone = await openScratchClone(repository, world);
  try {
    const { exitCode, stdout, stderr } = await runProgram({
      ...{ ...world, file, args: ["--version"], cwd: clone.scratch },
      env: clone.env,
    });
    if (exitCode === undefined && !world.signal.aborted)
      throw usageFailure(
        `${printable(file)} cannot be run: ${printable(stderr.trim())}`,
      );
    const place = { file, clone, dir: join(clone.top, prefix) };
    return {
      version: /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0],
      ask: (commit, head) => ask(peer, world, place, { commit, head }),
      [Symbol.asyncDispose]: () => clone[Symbol.asyncDispose](),
    };
  } catch (error) {
    await clone[Symbol.asyncDispose]();
    throw error;
  }
}

function programOf(
  { name, title }: Peer,
  {
    cwd,
    root,
    bin,
  }: Pick<OpenPeerOptions, "root" | "bin"> & { readonly cwd: string },
): string {
  if (bin !== undefined) {
    const file = resolve(cwd, bin);
    if (existsSync(file)) return file;
    throw usageFailure(`there is no program ${printable(bin)}`, {
      hint: "--peer-bin takes the path of a file",
    });
  }
  const file = installedPeer(root, name);
  if (file !== undefined) return file;
  throw usageFailure(
    `${title} is not installed here: there is no node_modules/.bin/${name}`,
    {
      hint: `run \`yarn install\`, or install it elsewhere (\`npm install --prefix DIR ${name}\`) and pass --peer-bin DIR/node_modules/.bin/${name}`,
    },
  );
}

/**
 * Finds the program of a tool that is installed in a project's root; undefined if there is none. Yarn's linker `pnpm` writes
 * no `.bin` for dependencies of workspaces, so the package's own manifest is read too.
 */
export function installedPeer(root: string, name: string): string | undefined {
  const modules = join(root, "node_modules");
  const linked = join(modules, ".bin", name);
  if (existsSync(linked)) return linked;
  try {
    const folder = join(modules, name);
    const text = readFileSync(join(folder, "package.json"), "utf8");
    const { bin } = JSON.parse(text) as {
      bin?: string | Readonly<Record<string, unknown>>;
    };
    const path = typeof bin === "object" ? bin[name] : bin;
    const file = typeof path === "string" ? join(folder, path) : undefined;
    return file !== undefined && isWithin(file, folder) && existsSync(file)
      ? file
      : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(file: string, folder: string): boolean {
  return file.startsWith(`${folder}${sep}`);
}

interface PeerPlace {
  readonly file: string;
  readonly clone: ScratchClone;
  /** The project's folder in the clone, absolute. */
  readonly dir: string;
}

async function ask(
  peer: Peer,
  { signal, node, now }: World,
  { file, clone, dir }: PeerPlace,
  { commit, head }: { readonly commit: Commit; readonly head: Project },
): Promise<Theirs> {
  await clone.checkOut(commit.commit);
  const settings = peer.settings.map((name) => join(dir, name));
  const [stand = ""] = settings.some((path) => existsSync(path))
    ? []
    : settings;
  if (stand !== "") await writeFile(stand, peer.stand);
  try {
    const modules = modulesOf(file);
    if (peer.needsModules && modules !== undefined)
      await borrowModules(modules, dir);
    const question = { base: commit.parent, head: commit.commit };
    const from = now();
    const end = await runProgram({
      ...{ file, args: peer.args(question), cwd: dir, signal, node },
      env: {
        ...clone.env,
        ...peer.env(question, clone.scratch),
        NO_COLOR: "1",
      },
    });
    const ms = now() - from;
    const answer = end.exitCode === 0 ? peer.read(end.stdout) : undefined;
    if (!answer) throw new Failure(peerFailure(peer, end));
    return { ...matchPackages(answer, await knownPackages(dir, head)), ms };
  } finally {
    // The next commit may have a settings file with another name.
    if (stand !== "") await rm(stand, { force: true });
  }
}

/** Returns the innermost `node_modules` that contains a program; undefined if none does. */
export function modulesOf(file: string): string | undefined {
  const above = dirname(file);
  if (above === file) return undefined;
  return basename(above) === "node_modules" ? above : modulesOf(above);
}

/** Returns the packages of a commit, with the names that Nx takes from their project.json or package.json. */
function knownPackages(
  top: string,
  { packages }: Project,
): Promise<KnownPackage[]> {
  return Promise.all(
    packages.map(async ({ name, dir }) => {
      const [project, manifest] = await Promise.all(
        ["project.json", "package.json"].map((file) =>
          readJson(join(top, dir, file)),
        ),
      );
      const aliases = [project?.name, manifest?.nx?.name].filter(
        (alias) => typeof alias === "string",
      );
      return { name, dir, aliases };
    }),
  );
}

interface NamesInJson {
  readonly name?: unknown;
  readonly nx?: { readonly name?: unknown } | null;
}

async function readJson(file: string): Promise<NamesInJson | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // The file doesn't exist, or the peer reports its errors itself.
    return undefined;
  }
}

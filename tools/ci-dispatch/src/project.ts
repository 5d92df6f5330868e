import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { openRepository } from "@skein/git";
import { Failure, usageFailure } from "@skein/reporting";
import {
  compileGlobs,
  defaultSettings,
  parseSettings,
  readProject,
} from "@skein/workspaces";
import type { Project, ProjectFiles, Settings } from "@skein/workspaces";
import type { DispatchWorld } from "./world.js";

/** The workspace as it stands on the disk. */
export interface OpenProject {
  /** Absolute. */
  readonly root: string;
  readonly settings: Settings;
  readonly project: Project;
  /** Test files by package, from its folder, in order of name. */
  testFiles(): Promise<ReadonlyMap<string, readonly string[]>>;
}

/**
 * Reads the workspace that holds the current folder, every manifest included.
 * @throws {Failure} where there is none
 */
export async function openProject(world: DispatchWorld): Promise<OpenProject> {
  const root = findRoot(world.cwd);
  if (root === undefined)
    throw usageFailure(`${world.cwd} is in no Yarn workspace`, {
      hint: "run it in a folder below a package.json",
    });
  const files = filesOf(root, world);
  const text = await files.read("skein.json");
  const settings = text
    ? parseSettings(text.toString("utf8"))
    : defaultSettings;
  const project = await readProject(files, {
    touchedManifests: [],
    complete: true,
  });
  if (!project)
    throw new Failure("there is no package.json at the root of the workspace");
  return {
    root,
    settings,
    project,
    async testFiles() {
      const isTest = compileGlobs(
        settings.affected.tests.filter((glob) => !glob.includes("snap")),
      );
      const found = new Map<string, string[]>();
      for (const path of await files.list()) {
        const { name, dir } = project.graph.ownerOf(path);
        const inside = dir === "." ? path : path.slice(dir.length + 1);
        if (!isTest(inside)) continue;
        const list = found.get(name);
        if (list) list.push(inside);
        else found.set(name, [inside]);
      }
      for (const list of found.values()) list.sort();
      return found;
    },
  };
}

/** The settings of the workspace that holds a folder; the defaults where there is none. @throws {SettingsError} */
export async function readSettings(cwd: string): Promise<Settings> {
  const root = findRoot(cwd);
  if (root === undefined) return defaultSettings;
  const text = await readFile(join(root, "skein.json"), "utf8").catch(
    () => undefined,
  );
  return text === undefined ? defaultSettings : parseSettings(text);
}

/** As Yarn finds it: the nearest folder above with a yarn.lock, else the highest with a package.json. */
function findRoot(cwd: string): string | undefined {
  let highest: string | undefined;
  for (let dir = cwd; ; dir = dirname(dir)) {
    if (existsSync(join(dir, "yarn.lock"))) return dir;
    if (existsSync(join(dir, "package.json"))) highest = dir;
    if (dir === dirname(dir)) return highest;
  }
}

function filesOf(
  root: string,
  { env, signal }: Pick<DispatchWorld, "env" | "signal">,
): ProjectFiles {
  return {
    name: "",
    read: (path) =>
      readFile(join(root, path)).catch((error: unknown) => {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOENT" || code === "ENOTDIR") return undefined;
        throw error;
      }),
    async list() {
      const { git, topLevel } = await openRepository({
        cwd: root,
        env,
        signal,
      });
      const path = relative(topLevel ?? root, root).replaceAll(sep, "/");
      const prefix = path === "" ? "" : `${path}/`;
      const { stdout } = await git.run([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
      ]);
      return stdout
        .toString("utf8")
        .split("\0")
        .filter((file) => file !== "" && file.startsWith(prefix))
        .map((file) => file.slice(prefix.length));
    },
  };
}

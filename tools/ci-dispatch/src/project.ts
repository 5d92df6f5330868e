import { join } from "node:path";
import { Failure, readRegularText, usageFailure } from "@skein/reporting";
import {
  compileGlobs,
  defaultSettings,
  filesOnDisk,
  findRoot,
  parseSettings,
  readProject,
} from "@skein/workspaces";
import type { Project, Settings } from "@skein/workspaces";
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
  const files = filesOnDisk(root, world);
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
  const text = await readRegularText(join(root, "skein.json")).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    },
  );
  return text === undefined ? defaultSettings : parseSettings(text);
}

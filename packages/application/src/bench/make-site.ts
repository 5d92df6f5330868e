import { availableParallelism } from "node:os";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Files } from "@skein/testing";
import { bigWorkspace, buildHistory, gitIn, yarnIn } from "@skein/testing";
import { repositoryFile } from "../packed.js";
import type { Installed } from "./install.js";
import { membersOf, type Site } from "./site.js";
import type { Tool } from "./tools/tool.js";

export interface SiteRequest {
  readonly dir: string;
  /** The number of packages, without the application. */
  readonly packages: number;
  readonly installed: readonly Installed[];
  /** Returns the packages in which a source file changes. */
  readonly changed: (members: Site["members"]) => Site["members"];
  /** Files that are added or replace others. */
  readonly extra?: Files;
}

/**
 * Generates a workspace. The commit on `main` has all tools' settings, and the branch `feature` has the change. Yarn
 * has installed it, and every tool's package and bin is linked into its `node_modules`.
 */
export async function makeSite({
  dir,
  packages,
  installed,
  changed,
  extra: more = {},
}: SiteRequest): Promise<Site> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const members = membersOf(bigWorkspace({ packages }));
  const extra: Record<string, Files[string]> = {
    ...SKEIN_SETTINGS,
    ".gitignore": IGNORED,
  };
  for (const { tool } of installed)
    Object.assign(extra, tool.settings(members));
  Object.assign(extra, more);
  const files = bigWorkspace({ packages, extra });
  const edits = changed(members).map(({ dir }) => {
    const path = `${dir}/src/store.ts`;
    return [path, `${textOf(files[path])}// changed\n`];
  });
  buildHistory(dir, [
    { files },
    {
      branch: "feature",
      from: "main",
      files: Object.fromEntries(edits) as Files,
    },
  ]);
  gitIn(dir, "checkout", "--quiet", "feature");
  addOrigin(dir);
  await yarnIn(dir, "install", "--mode=skip-build");
  for (const { tool, modules } of installed)
    if (modules !== undefined) await linkTool(dir, modules, tool);
  // Otherwise only the first measurement would read from disk.
  gitIn(dir, "status", "--porcelain");
  return { dir, members, concurrency: availableParallelism() };
}

/** Makes a repository look like a clone, which is what users have. */
export function addOrigin(dir: string): void {
  const main = "refs/remotes/origin/main";
  gitIn(dir, "update-ref", main, "main");
  gitIn(dir, "symbolic-ref", "refs/remotes/origin/HEAD", main);
}

function textOf(file: Files[string] | undefined): string {
  if (typeof file !== "string") throw new Error("a source file is text");
  return file;
}

/** The plugin, as a user commits it. */
const SKEIN_SETTINGS: Files = {
  ".yarnrc.yml":
    "nodeLinker: node-modules\n\nenableTelemetry: false\n\nplugins:\n  - ./.yarn/plugins/skein.cjs\n",
  ".yarn/plugins/skein.cjs": repositoryFile("packages/yarn-plugin/plugin.cjs"),
};

const IGNORED =
  "node_modules\ndist\n.yarn/*\n!.yarn/plugins\n.pnp.*\n.nx\n.turbo\n.moon/cache\n";

/** Links a tool's packages and programs into a workspace's `node_modules`. */
export async function linkTool(
  dir: string,
  modules: string,
  { links, hidesBins }: Tool,
): Promise<void> {
  const bins = join(dir, "node_modules/.bin");
  await mkdir(bins, { recursive: true });
  for (const name of links) {
    await symlink(join(modules, name), join(dir, "node_modules", name));
    if (hidesBins) continue;
    const manifest = join(modules, name, "package.json");
    const packages = existsSync(manifest)
      ? [join(modules, name)]
      : (await readdir(join(modules, name))).map((each) =>
          join(modules, name, each),
        );
    for (const home of packages)
      for (const bin of binsOf(home, modules))
        await symlink(join(modules, ".bin", bin), join(bins, bin));
  }
}

/** Returns the names of a package's programs that its installer linked. */
function binsOf(home: string, modules: string): string[] {
  const { name = "", bin = {} } = JSON.parse(
    readFileSync(join(home, "package.json"), "utf8"),
  ) as { name?: string; bin?: string | Record<string, string> };
  const names =
    typeof bin === "string" ? [name.replace(/^@.*\//, "")] : Object.keys(bin);
  return names.filter((each) => existsSync(join(modules, ".bin", each)));
}

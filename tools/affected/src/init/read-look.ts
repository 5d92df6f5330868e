import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ciOf, ENGINES, type Engine } from "@skein/ci";
import { findDefaultBranch, openGit, RepositoryError } from "@skein/git";
import type { Git, Repository } from "@skein/git";
import { Failure, usageFailure } from "@skein/reporting";
import { versionAbove } from "@skein/reporting/version-above";
import { isYarn1Lockfile, readProject, runnable } from "@skein/workspaces";
import type { ProjectFiles } from "@skein/workspaces";
import { diskFiles, prefixOf } from "../files/files.js";
import type { AffectedWorld } from "../world.js";
import type { InitOptions } from "../command.js";
import type { Look, LookPackage } from "./look.js";
import { SKEIN, writtenBy } from "./workflow-texts.js";

/** The location where init works. */
export interface InitPlace {
  readonly root: string;
  readonly repository: Repository;
}

/**
 * Reads the workspace: its packages, its settings, its workflows, its default branch, and the commit of Skein's
 * workflows.
 * @throws {Failure} if it isn't a workspace of Yarn 2 or newer, or if the commit of the release can't be determined
 */
export async function readLook(
  world: AffectedWorld,
  { root, repository }: InitPlace,
  options: InitOptions,
): Promise<Look> {
  const disk = diskFiles(root, () => Promise.resolve(repository));
  const tracked = await disk.list();
  const packages = await readPackages(disk);
  const files = await readTexts(disk, namesOf(tracked, packages));
  const from = await readFrom(world, options.from);
  const version = versionAbove(import.meta.url);
  const branch = await branchOf(repository);
  const engine = options.engine ?? engineOf(world.env, tracked);
  return {
    version,
    range: from.range,
    plugin: options.plugin ? pluginText(from.checkout) : undefined,
    engine,
    pin:
      engine === "github-actions"
        ? await pinOf(repository.git, {
            asked: options.pin ?? from.commit,
            files,
            version,
          })
        : "",
    ...branch,
    isTop: prefixOf(repository.topLevel ?? root, root) === "",
    packages,
    unowned: unownedOf(tracked, packages),
    files,
  };
}

async function readPackages(
  disk: ProjectFiles,
): Promise<readonly LookPackage[]> {
  const lock = (await disk.read("yarn.lock"))?.toString("utf8");
  if (lock === undefined) throw await noLockfile(disk);
  if (isYarn1Lockfile(lock))
    throw usageFailure("yarn.lock was written by Yarn 1", {
      hint: "init is for workspaces of Yarn 2 or newer: yarn set version stable && yarn install",
    });
  const project = await readProject(disk);
  if (!project || project.packages.length < 2)
    throw usageFailure("the root's package.json has no workspaces", {
      hint: 'name their folders: "workspaces": ["packages/*"]',
    });
  return runnable(project);
}

/** Returns the error for a workspace without a yarn.lock, which names another package manager's lockfile if there is one. */
async function noLockfile(disk: ProjectFiles): Promise<Failure> {
  for (const name of ["package-lock.json", "pnpm-lock.yaml", "bun.lock"])
    if ((await disk.read(name)) !== undefined)
      return usageFailure(
        `this workspace has ${name}, so a package manager other than Yarn installs it`,
        { hint: "init is for workspaces of Yarn 2 or newer" },
      );
  return usageFailure("there is no yarn.lock next to the root's package.json", {
    hint: "init is for workspaces of Yarn 2 or newer; run yarn install first",
  });
}

const ALONE =
  `package.json skein.json .gitignore .yarnrc.yml .yarn/plugins/plugin-skein.cjs .nvmrc
  .node-version turbo.json turbo.jsonc nx.json lage.config.js lage.config.cjs lage.config.mjs
  lage.config.ts CODEOWNERS .github/CODEOWNERS docs/CODEOWNERS`.split(/\s+/);

/**
 * Returns the paths of all files that matter: among them workflows of any name, and the files of Nx and Turborepo in
 * the packages' folders.
 */
function namesOf(
  tracked: readonly string[],
  packages: readonly LookPackage[],
): readonly string[] {
  const all = new Set(tracked);
  const below = packages
    .filter(({ dir }) => dir !== ".")
    .flatMap(({ dir }) => [
      `${dir}/project.json`,
      `${dir}/turbo.json`,
      // Only Nx has settings in a package's package.json.
      ...(all.has("nx.json") ? [`${dir}/package.json`] : []),
    ]);
  return [
    ...ALONE,
    ...tracked.filter((path) =>
      /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path),
    ),
    // These names are read even if git ignores them, because init must not overwrite ignored files either.
    ...[
      "ci",
      "reporter",
      "metrics",
      "skein",
      "skein-reporter",
      "skein-metrics",
    ].map((name) => `.github/workflows/${name}.yml`),
    ...below.filter((path) => all.has(path)),
  ];
}

async function readTexts(
  disk: ProjectFiles,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const read = await Promise.all(
    [...new Set(names)].map(async (name) => {
      const bytes = await disk.read(name);
      return bytes === undefined
        ? []
        : [[name, bytes.toString("utf8")] as const];
    }),
  );
  return Object.fromEntries(read.flat());
}

function unownedOf(
  tracked: readonly string[],
  packages: readonly LookPackage[],
): readonly string[] {
  const folders = new Set(packages.map(({ dir }) => dir));
  const isOwned = (path: string) =>
    [...path.matchAll(/\//g)].some(({ index }) =>
      folders.has(path.slice(0, index)),
    );
  return tracked.filter((path) => !isOwned(path));
}

async function branchOf(
  repository: Repository,
): Promise<Pick<Look, "defaultBranch" | "isBranchFound">> {
  try {
    const { ref } = await findDefaultBranch(repository);
    const name = ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, "");
    return { defaultBranch: name, isBranchFound: true };
  } catch (error) {
    if (!(error instanceof RepositoryError)) throw error;
    const { stdout } = await repository.git.run(
      ["symbolic-ref", "--quiet", "--short", "HEAD"],
      { answers: [0, 1] },
    );
    return {
      defaultBranch: stdout.toString("utf8").trim() || "main",
      isBranchFound: false,
    };
  }
}

/** The beginning of the path of each engine's pipelines. */
const PIPELINE_FILES: Readonly<Record<Engine, string>> = {
  "github-actions": ".github/workflows/",
  "gitlab-ci": ".gitlab-ci.yml",
  buildkite: ".buildkite/",
};

function engineOf(
  env: AffectedWorld["env"],
  tracked: readonly string[],
): Engine {
  const { engine } = ciOf(env);
  if (engine !== undefined) return engine;
  return (
    ENGINES.find((each) =>
      tracked.some((path) => path.startsWith(PIPELINE_FILES[each])),
    ) ?? "github-actions"
  );
}

interface From {
  readonly range: string | undefined;
  readonly commit: string | undefined;
  readonly checkout: string | undefined;
}

/** Reads `--from`: a checkout of Skein (a folder with its tools), or a range as in package.json. */
async function readFrom(
  { cwd, env, signal }: AffectedWorld,
  from: string | undefined,
): Promise<From> {
  if (from === undefined)
    return { range: undefined, commit: undefined, checkout: undefined };
  const checkout = resolve(cwd, from);
  if (!existsSync(join(checkout, "tools/affected/package.json")))
    return { range: from, commit: undefined, checkout: undefined };
  const git = openGit({ cwd: checkout, env, signal });
  const { stdout, exitCode } = await git.run(["rev-parse", "HEAD"], {
    answers: [0, 128],
  });
  return {
    range: `link:${checkout}/tools/{tool}`,
    commit: exitCode === 0 ? stdout.toString("utf8").trim() : undefined,
    checkout,
  };
}

/**
 * Returns the commit to which the workflows are pinned: the one that the user asked for, or that of the tag in Skein's
 * repository.
 */
async function pinOf(
  git: Git,
  {
    asked,
    files,
    version,
  }: {
    readonly asked: string | undefined;
    readonly files: Look["files"];
    readonly version: string;
  },
): Promise<string> {
  if (asked !== undefined) return asked;
  for (const [path, text] of Object.entries(files)) {
    const known = path.startsWith(".github/workflows/") && writtenBy(text);
    // A tag doesn't move, so the commit of the same version in an existing workflow is still right.
    if (known && known.version === version && known.pin !== undefined)
      return known.pin;
  }
  const tag = `refs/tags/v${version}`;
  const url = `https://github.com/${SKEIN}`;
  const { stdout } = await git.run(
    ["ls-remote", "--end-of-options", url, tag, `${tag}^{}`],
    { answers: [0, 128] },
  );
  const lines = stdout.toString("utf8").split("\n");
  const line =
    lines.find((each) => each.endsWith(`${tag}^{}`)) ??
    lines.find((each) => each.endsWith(tag));
  const commit = /^[0-9a-f]{40}\b/.exec(line ?? "")?.[0];
  if (commit === undefined)
    throw new Failure(`found no commit for the tag v${version} at ${url}`, {
      hint: "workflows are pinned by commit: name it with --pin <commit>, or a checkout of Skein with --from <folder>",
    });
  return commit;
}

/** Reads a file of this package. The bundle is one folder below the package's folder, and this file is two. */
function ownText(name: string): string | undefined {
  for (const above of ["../", "../../"])
    try {
      return readFileSync(new URL(above + name, import.meta.url), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  return undefined;
}

/** Returns the text of the plugin, from a checkout or from this package. */
function pluginText(checkout: string | undefined): string {
  const text =
    checkout === undefined
      ? ownText("bundle/plugin.cjs")
      : readFileSync(join(checkout, "packages/yarn-plugin/plugin.cjs"), "utf8");
  if (text === undefined)
    throw usageFailure("this build of affected has no Yarn plugin in it", {
      hint: "name a checkout of Skein with --from <folder>",
    });
  return text;
}

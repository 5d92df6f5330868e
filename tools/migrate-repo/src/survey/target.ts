import { access, readdir } from "node:fs/promises";
import { constants, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  splitNul,
  commitTree,
  configEnv,
  openObjects,
  openRepository,
  parseStatusV2,
  STATUS_ARGS,
  withEnv,
  withoutRepository,
  type Git,
} from "@skein/git";
import { treeFiles } from "@skein/workspaces/committed";
import { readProject } from "@skein/workspaces/read-project";
import { readSettings } from "./settings.js";

/** A package of the target, with the fields that a migration needs. */
export interface TargetPackage {
  readonly name: string;
  readonly dir: string;
}

/** Facts about the repository that receives the package. */
export interface TargetFacts {
  readonly git: Git;
  /** The top of the working tree; undefined for a bare repository. */
  readonly topLevel: string | undefined;
  readonly gitDir: string;
  readonly commonDir: string;
  /** Absolute path of the object database. */
  readonly objects: string;
  /** Absolute path of the index. */
  readonly index: string;
  readonly objectFormat: "sha1" | "sha256";
  readonly shallow: boolean;
  readonly sparse: boolean;
  /** Full ref name; undefined on a detached HEAD, and before the first commit. */
  readonly branch: string | undefined;
  /** Undefined before the first commit. */
  readonly head: string | undefined;
  /** The name of a merge, rebase, … in progress. */
  readonly operation: string | undefined;
  /** Tracked files that differ from HEAD. */
  readonly changed: readonly string[];
  /** The name and email for new commits; undefined if git has none. */
  readonly identity:
    | { readonly name: string; readonly email: string }
    | undefined;
  /** Commit hooks that exist and don't run for the imported commits. */
  readonly hooks: readonly string[];
  /** Every ref with its object. */
  readonly refs: ReadonlyMap<string, string>;
  /** Undefined if there is no package.json at the top. */
  readonly packages: readonly TargetPackage[] | undefined;
  /** `owner/name` on GitHub, from the remote `origin`. */
  readonly slug: string | undefined;
  /** Branches that may not be committed to directly, according to skein.json. */
  readonly protectedBranches: readonly string[];
}

/** Files in the git folder that show an operation in progress (gitrepository-layout(5)). */
const OPERATIONS: Readonly<Record<string, string>> = {
  MERGE_HEAD: "merge",
  CHERRY_PICK_HEAD: "cherry-pick",
  REVERT_HEAD: "revert",
  "rebase-merge": "rebase",
  "rebase-apply": "rebase or am",
  BISECT_LOG: "bisect",
  sequencer: "cherry-pick or revert",
};

const COMMIT_HOOKS = [
  "pre-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "pre-merge-commit",
  "post-merge",
  "post-checkout",
];

/**
 * Reads the target; writes nothing.
 * @throws {RepositoryError} if the folder isn't in a repository
 */
export async function surveyTarget(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TargetFacts> {
  const repository = await openRepository({ cwd, env: withoutRepository(env) });
  const { git, topLevel, gitDir, commonDir, head } = repository;
  const ask = async (args: readonly string[]) => {
    const { stdout, exitCode } = await git.run(args, {
      answers: [0, 1, 128],
    });
    return exitCode === 0
      ? stdout.toString("utf8").replace(/\n$/, "")
      : undefined;
  };
  const [project, settings, refs, identity, status] = await Promise.all([
    // This takes longest, so it starts first.
    head === undefined ? undefined : readTargetProject(git, head),
    ask(["config", "-z", "--get-regexp", SETTINGS]),
    ask(["for-each-ref", "--format=%(HEAD)%(refname)%00%(objectname)"]),
    ask(["var", "GIT_COMMITTER_IDENT"]),
    topLevel === undefined || head === undefined
      ? undefined
      : git.run(STATUS_ARGS),
  ]);
  const refLines = (refs ?? "").split("\n").filter((line) => line !== "");
  const setting = settingsOf(settings ?? "");
  const hooksDir =
    (setting.has("core.hookspath") ? await configuredHooks(git) : undefined) ??
    join(commonDir, "hooks");
  const changed = status
    ? parseStatusV2(status.stdout)
        .entries.filter(({ origin: from }) => from !== "untracked")
        .map((entry) => entry.path)
    : [];
  return {
    git: withoutConfiguredHooks(git, setting),
    topLevel,
    gitDir,
    commonDir,
    // `withoutRepository` removed the variables that could move these (gitrepository-layout(5)).
    objects: join(commonDir, "objects"),
    index: join(gitDir, "index"),
    objectFormat: repository.objectFormat,
    shallow: repository.isShallow,
    sparse: /^(?:true|yes|on|1)$/i.test(
      setting.get("core.sparsecheckout") ?? "",
    ),
    branch: refLines
      .find((line) => line.startsWith("*"))
      ?.slice(1)
      .split("\0")[0],
    head,
    operation: findOperation(gitDir),
    changed: [...new Set(changed)],
    identity: parseIdentity(identity),
    hooks: await findHooks(hooksDir),
    refs: new Map(
      refLines.map((line) => line.slice(1).split("\0") as [string, string]),
    ),
    packages: project?.packages,
    slug: /github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i.exec(
      setting.get("remote.origin.url") ?? "",
    )?.[1],
    protectedBranches: project?.protectedBranches ?? [],
  };
}

/** The settings of the target that matter here. */
const SETTINGS = String.raw`^(core\.(sparsecheckout|hookspath)|remote\.origin\.url|hook\..*\.(command|event))$`;

/**
 * Returns a git that doesn't run hooks from settings, because `core.hooksPath` doesn't turn them off (git-config(1),
 * `hook.<name>.enabled`; git 2.54 and later).
 */
function withoutConfiguredHooks(
  git: Git,
  setting: ReadonlyMap<string, string>,
): Git {
  const names = [...setting.keys()].flatMap(
    (key) => /^hook\.([^]*)\.(?:command|event)$/.exec(key)?.[1] ?? [],
  );
  const off = names.map((name) => [`hook.${name}.enabled`, "false"] as const);
  return names.length === 0
    ? git
    : withEnv(git, configEnv(git.env, Object.fromEntries(off)));
}

/** Parses `config -z`. The last of several values counts, and a key without `=` is true. */
function settingsOf(text: string): ReadonlyMap<string, string> {
  const settings = text.split("\0").filter((each) => each !== "");
  return new Map(
    settings.map((each) => {
      const [key = "", ...lines] = each.split("\n");
      return [key, lines.length === 0 ? "true" : lines.join("\n")];
    }),
  );
}

/**
 * Returns the user's folder of hooks. Only git can resolve a `~` in it. The last value is the one with which `Git`
 * turns all hooks off.
 * @returns undefined if the user's settings name none
 */
async function configuredHooks(git: Git): Promise<string | undefined> {
  const { stdout } = await git.run([
    ...["config", "-z", "--type=path", "--get-all", "core.hooksPath"],
  ]);
  const own = splitNul(stdout).at(-2);
  return own === undefined ? undefined : resolve(git.cwd, own);
}

async function readTargetProject(
  git: Git,
  head: string,
): Promise<
  | {
      packages: readonly TargetPackage[];
      protectedBranches: readonly string[];
    }
  | undefined
> {
  using objects = openObjects(git);
  const tree = commitTree(git, objects, head);
  const project = await readProject({ ...treeFiles(tree, ""), name: "" });
  if (!project) return undefined;
  const settings = (await tree.read("skein.json"))?.toString("utf8");
  return {
    packages: project.packages.map(({ name, dir }) => ({ name, dir })),
    protectedBranches: readSettings(settings).migrate.protectedBranches,
  };
}

function findOperation(gitDir: string): string | undefined {
  const found = Object.entries(OPERATIONS).find(([file]) =>
    existsSync(join(gitDir, file)),
  );
  return found?.[1];
}

async function findHooks(dir: string): Promise<readonly string[]> {
  const names = await readdir(dir).catch((): string[] => []);
  const found: string[] = [];
  for (const name of COMMIT_HOOKS)
    if (names.includes(name) && (await isExecutable(join(dir, name))))
      found.push(name);
  return found;
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Parses `Name <email> time zone`. git prints nothing if it has no name or no email. */
function parseIdentity(line: string | undefined): TargetFacts["identity"] {
  const match = /^(.*) <([^<>]*)> \d+ [+-]\d+$/.exec(line ?? "");
  return match ? { name: match[1] ?? "", email: match[2] ?? "" } : undefined;
}

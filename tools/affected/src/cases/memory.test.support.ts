import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildHistory } from "@skein/testing";
import type { CommitSpec, Files, FileSpec } from "@skein/testing";
import { applyToFiles, pathsOf, type CaseFiles } from "./apply.test.support.js";
import type { Case, Step } from "./case.test.support.js";

/** A repository with an empty working tree that contains the commits of many recipes. */
export interface CommittedCases {
  /** The folder that contains `repo`. */
  readonly dir: string;
  /** Makes the recipe's commits those of HEAD and `main`. */
  choose(each: Case): void;
}

/** Returns whether the recipe only commits files, and none that `list --committed` reads from the disk. */
export function isCommitted({ before = [], steps, leave, cwd }: Case): boolean {
  const isPlain = leave === undefined && cwd === undefined;
  return isPlain && ![...before, ...steps].some(needsGit);
}

/**
 * Returns whether a step runs git, or git changes what the step writes: it ignores some files, and converts the ends of
 * lines.
 */
function needsGit(step: Step): boolean {
  return (
    "git" in step ||
    "commit" in step ||
    pathsOf(step).some((path) =>
      /(?:^|\/)(?:node_modules|dist)\/|^skein\.json$/.test(path),
    ) ||
    JSON.stringify(step).includes(String.raw`\r`)
  );
}

/** Creates the commits of recipes with one process, because two processes for each took most of the tests' time. */
export function commitCases(
  dir: string,
  base: Files,
  cases: readonly Case[],
): CommittedCases {
  const built = join(dir, "built");
  const git = join(dir, "repo/.git");
  mkdirSync(built, { recursive: true });
  mkdirSync(dirname(git));
  buildHistory(built, [
    { branch: "base", files: base },
    ...cases.flatMap((each) => commitsOf(base, each)),
  ]);
  renameSync(join(built, ".git"), git);
  // A folder with a lockfile is a project, where git starts before the command line is parsed.
  writeFileSync(join(dir, "repo/yarn.lock"), "");
  return {
    dir,
    choose: ({ id, before }) => {
      const main = before ? `before/${id}` : "base";
      const commit = readFileSync(join(git, "refs/heads", main));
      writeFileSync(join(git, "refs/heads/main"), commit);
      writeFileSync(join(git, "HEAD"), `ref: refs/heads/change/${id}\n`);
    },
  };
}

type Tree = ReadonlyMap<string, FileSpec>;

function commitsOf(
  base: Files,
  { id, before, steps }: Case,
): readonly CommitSpec[] {
  const first: Tree = new Map(Object.entries(base));
  const main = before ? treeAfter(first, before) : first;
  const from = before ? `before/${id}` : "base";
  return [
    ...(before
      ? [{ branch: from, from: "base", ...difference(first, main) }]
      : []),
    {
      ...{ branch: `change/${id}`, from },
      ...difference(main, treeAfter(main, steps)),
    },
  ];
}

/** Returns the files that the steps leave. */
function treeAfter(tree: Tree, steps: readonly Step[]): Tree {
  const files = new Map(tree);
  for (const step of steps) applyToFiles(filesInMemory(files), step);
  return files;
}

function difference(from: Tree, to: Tree) {
  return {
    files: Object.fromEntries(
      [...to].filter(([path, spec]) => from.get(path) !== spec),
    ),
    remove: [...from.keys()].filter((path) => !to.has(path)),
  };
}

function filesInMemory(files: Map<string, FileSpec>): CaseFiles {
  const below = (path: string) => {
    const found = [...files.keys()].filter(
      (file) => file === path || file.startsWith(`${path}/`),
    );
    if (found.length === 0) throw new Error(`${path} doesn't exist`);
    return found;
  };
  return {
    read: (path) => textOf(files.get(path)),
    write: (path, content) => files.set(path, content),
    link: (path, to) => files.set(path, { symlink: to }),
    remove: (path) => {
      for (const file of below(path)) files.delete(file);
    },
    move: (path, to) => {
      for (const file of below(path)) {
        const spec = files.get(file) ?? "";
        files.delete(file);
        files.set(to + file.slice(path.length), spec);
      }
    },
  };
}

function textOf(spec: FileSpec | undefined): string | undefined {
  if (spec === undefined) return undefined;
  if (typeof spec === "string" || Buffer.isBuffer(spec)) return spec.toString();
  throw new Error("a step reads a link");
}

import { shellWord } from "@skein/git";
import { count, ExitCode, formatBytes, printable } from "@skein/reporting";
import { migrationRefs, type DestinationFault } from "./names.js";
import type { Refusal, Warning } from "./plan.js";

/** A problem in words: what is wrong in one sentence, and the way out. */
export interface Words {
  readonly sentence: string;
  readonly hint: string;
}

type WordsFor<P extends { readonly code: string }> = {
  readonly [C in P["code"]]: (
    problem: Extract<P, { readonly code: C }>,
  ) => Words;
};

const FAULTS: Readonly<Record<DestinationFault, string>> = {
  empty: "it names the workspace itself",
  absolute: "it is absolute",
  "dot-dot": "it has an empty, `.` or `..` part",
  "git-folder": "it leads into a .git folder",
  "control-characters": "it has control characters",
  backslash: "it has a backslash; folders are separated by /",
  "windows-name": "Windows cannot hold a folder of that name",
  "node-modules": "it leads into node_modules",
};

const branchHint = (branches: readonly string[]) =>
  branches.length === 0
    ? "It has no branches."
    : `Its branches: ${some(branches)}. Choose one with --ref.`;

const REFUSALS: WordsFor<Refusal> = {
  "source-is-option": ({ given }) => ({
    sentence: `${quote(given)} begins with a dash, so git would read it as an option.`,
    hint: "Give a git URL, a folder (./-name for one that begins with a dash), or owner/name.",
  }),
  "source-control-characters": () => ({
    sentence: "The source's address has control characters.",
    hint: "Give a git URL, a folder, or owner/name.",
  }),
  "source-transport": ({ transport }) => ({
    sentence: `The transport ${quote(transport)} is not allowed: only https, ssh, file and git are.`,
    hint: "Use an https:// or ssh:// address, or clone it yourself and give the folder.",
  }),
  "source-unclear": ({ given }) => ({
    sentence: `${quote(given)} is no folder, no git URL and no owner/name.`,
    hint: "Check the spelling; a folder is looked up from where you are.",
  }),
  "source-is-target": () => ({
    sentence: "The source is the workspace itself.",
    hint: "Run this in the workspace, and name the other repository.",
  }),
  "bare-target": () => ({
    sentence: "This is a bare repository: it has no files to add a package to.",
    hint: "Run this in a clone of it.",
  }),
  "unborn-branch": () => ({
    sentence:
      "The workspace has no commit yet, so there is nothing to merge into.",
    hint: "Commit something first: git commit --allow-empty -m 'Start'",
  }),
  "detached-head": () => ({
    sentence: "HEAD is detached: the merge would belong to no branch.",
    hint: "Switch to a branch first: git switch -c migrate",
  }),
  "operation-in-progress": ({ operation }) => ({
    sentence: `A ${operation} is in progress.`,
    hint: "Finish or abort it first; `git status` says how.",
  }),
  "migration-in-progress": ({ name }) => ({
    sentence: `A migration of ${quote(name)} has not come to its end.`,
    hint: "Finish it with `migrate-repo continue`, or undo it with `migrate-repo abort`.",
  }),
  dirty: ({ paths }) => ({
    sentence: `${count(paths.length, "tracked file differs", "tracked files differ")} from the last commit: ${some(paths)}.`,
    hint: "Commit them, or put them away with `git stash`.",
  }),
  "shallow-target": () => ({
    sentence:
      "The workspace is a shallow clone: a merge needs its whole history.",
    hint: "Fetch the rest first: git fetch --unshallow",
  }),
  "sparse-target": () => ({
    sentence:
      "The workspace is a sparse checkout: files would be missing from it.",
    hint: "Check everything out first: git sparse-checkout disable",
  }),
  "no-identity": () => ({
    sentence: "Git does not know who commits.",
    hint: "Set user.name and user.email with `git config`.",
  }),
  "protected-branch": ({ branch }) => ({
    sentence: `${quote(branch)} is a protected branch (skein.json, migrate.protectedBranches).`,
    hint: "Work on a branch of your own: git switch -c migrate; or --allow protected-branch.",
  }),
  "bad-destination": ({ path, fault }) => ({
    sentence: `${quote(path)} cannot be the destination: ${FAULTS[fault]}.`,
    hint: "Give a folder inside the workspace: --to packages/name",
  }),
  "bad-only": ({ path, fault }) => ({
    sentence: `--only ${quote(path)} cannot be: ${FAULTS[fault]}.`,
    hint: "Give a folder of the source, from its top: --only packages/a",
  }),
  "destinations-overlap": ({ one, other }) => ({
    sentence: `The destinations ${quote(one)} and ${quote(other)} lie in each other.`,
    hint: "Give each its own: --only a=packages/a b=packages/b",
  }),
  "destination-tracked": ({ path }) => ({
    sentence: `${quote(path)} exists already in the workspace.`,
    hint: "Choose another place with --to; if it was migrated before, `migrate-repo sync` brings new commits.",
  }),
  "destination-untracked": ({ path, ignored }) => ({
    sentence: ignored
      ? `${quote(path)} exists on disk; the workspace's .gitignore hides it from git.`
      : `${quote(path)} exists on disk with files that git does not track.`,
    hint: "Move the folder away, or choose another place with --to.",
  }),
  "destination-file": ({ path, at }) => ({
    sentence: `${quote(path)} cannot be a folder: ${quote(at)} is a file.`,
    hint: "Choose another place with --to.",
  }),
  "destination-symlink": ({ path, at }) => ({
    sentence: `${quote(path)} leads through the symlink ${quote(at)}; files would be written elsewhere.`,
    hint: "Choose a place without symlinks with --to.",
  }),
  "destination-submodule": ({ path, at }) => ({
    sentence: `${quote(path)} lies in the submodule ${quote(at)}.`,
    hint: "Choose another place with --to.",
  }),
  "destination-case": ({ path, twin }) => ({
    sentence: `${quote(path)} differs from ${quote(twin)} only by case: on macOS and Windows they are one folder.`,
    hint: "Choose another place with --to.",
  }),
  "destination-in-package": ({ path, dir, name }) => ({
    sentence: `${quote(path)} lies inside the package ${quote(name)} (${printable(dir)}).`,
    hint: "Choose a place beside it with --to.",
  }),
  "bad-name": ({ name }) => ({
    sentence: `${quote(name)} cannot be a package's name.`,
    hint: "Give one with --name @scope/name",
  }),
  "name-used": ({ name, dir }) => ({
    sentence: `The name ${quote(name)} is used already in the workspace, by ${printable(dir)}.`,
    hint: "Give the newcomer another one with --name, or rename the package that is there.",
  }),
  "already-migrated": ({ name }) => ({
    sentence: `${quote(name)} was migrated before.`,
    hint: `Bring its new commits with: migrate-repo sync ${name}. If it was taken back with git reset, its record is still there; forget it first: git for-each-ref --format='delete %(refname)' '${migrationRefs(name)}' | git update-ref --stdin`,
  }),
  "empty-source": () => ({
    sentence: "The source is empty: it has no branch and no tag.",
    hint: "Check the address; there is nothing to migrate.",
  }),
  "no-default-branch": ({ branches }) => ({
    sentence:
      "The source does not say which branch is its main one (its HEAD is detached, or its branch has no commit).",
    hint: branchHint(branches),
  }),
  "no-such-branch": ({ branch, branches }) => ({
    sentence: `The source has no branch ${quote(branch)}.`,
    hint: branchHint(branches),
  }),
  "object-format": ({ source, target }) => ({
    sentence: `The source names its objects by ${source}, the workspace by ${target}; git cannot join the two.`,
    hint: "Convert one of them first (git fast-export | git fast-import into a repository made with --object-format).",
  }),
  "shallow-source": () => ({
    sentence: "The source is a shallow clone: its older history is not in it.",
    hint: "Name the repository it was cloned from, or complete it there: git fetch --unshallow",
  }),
  "partial-source": () => ({
    sentence: "The source is a partial clone: some of its files are not in it.",
    hint: "Name the repository it was cloned from, or complete it there: git fetch --refetch --no-filter",
  }),
  "too-many-refs": ({ count: refs }) => ({
    sentence: `The source announces ${count(refs, "ref")}; that is no repository people work in.`,
    hint: "Clone what you need of it (git clone --single-branch), and migrate the clone.",
  }),
  "nothing-there": ({ path }) => ({
    sentence:
      path === ""
        ? "The source's branch has no files."
        : `The source has nothing at ${quote(path)}.`,
    hint: "Paths of --only are from the source's top, at the tip of its branch.",
  }),
  "no-package-json": ({ dir }) => ({
    sentence: `The source has no package.json${dir === "" ? " at its top" : ` in ${quote(dir)}`}.`,
    hint: "Migrate it all the same with --allow non-package, or choose a folder with --only.",
  }),
  submodules: ({ paths }) => ({
    sentence: `The source has ${count(paths.length, "submodule")}: ${some(paths)}. Git reads .gitmodules at the top of a repository only, so they would stay empty.`,
    hint: "Keep them, with re-anchored entries in the workspace's .gitmodules: --allow submodules",
  }),
  lfs: ({ pointers, from }) => ({
    sentence: `${count(pointers.length, "file is", "files are")} kept in Git LFS, and git-lfs, which would fetch them, is not installed: ${some(pointers.map(({ path }) => path))}.`,
    hint: `Install it (apt-get install git-lfs, brew install git-lfs; git-lfs.com) and start again; or bring the pointers alone with --allow lfs, and their objects before you push: git lfs fetch --all ${shellWord(from)}`,
  }),
  "lfs-missing": ({ pointers, said }) => ({
    sentence: `git-lfs cannot fetch ${count(pointers.length, "object")}: ${some(pointers.map(({ path, oid }) => `${path} (${oid.slice(0, 10)})`))}.${said === "" ? "" : ` It said: ${said}`}`,
    hint: "See that the source's LFS server has them; or bring the pointers alone with --allow lfs.",
  }),
  secrets: ({ found }) => ({
    sentence: `The source's history holds ${count(found.length, "credential")}: ${some(found.map(({ path, line, kind, blob }) => `${path}:${line} (${kind}, blob ${blob.slice(0, 10)})`))}.`,
    hint: "Revoke them first: whoever can read the workspace could read them. Then go on with --allow secrets.",
  }),
  "large-file": ({ file, limit }) => ({
    sentence: `${quote(file.path)} is ${formatBytes(file.size)}, more than the ${formatBytes(limit)} allowed.`,
    hint: "Raise the limit with --max-file-size, or take the file out of the source's history.",
  }),
  "bad-ref-name": ({ ref }) => ({
    sentence: `${quote(ref)} is no name that git accepts.`,
    hint: "Change --tag-format, or leave tags out with --tags none.",
  }),
  "ref-exists": ({ ref, from }) => ({
    sentence: `${quote(ref)} exists already; ${printable(from)} of the source would overwrite it.`,
    hint: "Name the newcomer's tags differently with --tag-format '{name}/{tag}', or leave them out with --tags none.",
  }),
  "refs-collide": ({ ref, one, other }) => ({
    sentence: `${printable(one)} and ${printable(other)} would both become ${quote(ref)}.`,
    hint: "Keep them apart with --tag-format '{name}@{tag}', or leave tags out with --tags none.",
  }),
  "ref-conflict": ({ ref, other }) => ({
    sentence: `${quote(ref)} cannot exist beside ${quote(other)}: one would be a folder and a file at once.`,
    hint: "Change --tag-format, or leave branches and tags out.",
  }),
  "unknown-step": ({ id }) => ({
    sentence: `There is no step ${quote(id)} to skip.`,
    hint: "`migrate-repo add --help` lists them.",
  }),
  "run-needs-install": ({ option }) => ({
    sentence: `Scripts can run only in a workspace that is installed, and ${option} leaves that out.`,
    hint: `Leave out ${option}, or leave out --run and run them yourself later.`,
  }),
  "transplant-needs-graft": ({ history }) => ({
    sentence: `Pull requests can be carried onto a grafted history only, not with --history ${history}.`,
    hint: "Leave --history out, or list them with --prs alone.",
  }),
  "no-github": ({ given }) => ({
    sentence:
      given === undefined
        ? "The source's address does not say which repository on GitHub has its pull requests."
        : `${quote(given)} is no repository on GitHub.`,
    hint: "Name it with --github owner/name; for GitHub Enterprise set GITHUB_API_URL, and its token in GITHUB_TOKEN.",
  }),
};

const WARNINGS: WordsFor<Warning> = {
  "hooks-not-run": ({ hooks }) => ({
    sentence: `The workspace's hooks (${some(hooks)}) are not run for the commits of a migration.`,
    hint: "Run the checks you want on the result before you push.",
  }),
  "pushed-size": ({ files }) => ({
    sentence: `${count(files.length, "file of the history is", "files of the history are")} over GitHub's limit of 100 MiB for a push: ${some(files.map(({ path, size }) => `${path} (${formatBytes(size)})`))}.`,
    hint: "Take them out of the source's history first (git filter-repo --strip-blobs-bigger-than 100M), or leave the history behind with --history squash.",
  }),
  "case-twins": ({ names }) => ({
    sentence: `${some(names)} differ only by case: on macOS and Windows one of them is lost.`,
    hint: "Rename one of them.",
  }),
  "escaping-links": ({ links }) => ({
    sentence: `${count(links.length, "symlink leads", "symlinks lead")} out of the package: ${some(links.map(({ path, to }) => `${path} -> ${to}`))}.`,
    hint: "They are kept as they are; check what they now point to.",
  }),
  "long-paths": ({ paths }) => ({
    sentence: `${count(paths.length, "path is", "paths are")} longer than the 260 characters Windows opens: ${some(paths)}.`,
    hint: "Choose a shorter destination, or tell Windows users to set core.longpaths.",
  }),
  "ignored-destination": ({ path, rule }) => ({
    sentence: `The workspace ignores ${quote(path)} (${printable(rule)}): new files there would not be seen.`,
    hint: "Change that rule, or choose another place with --to.",
  }),
  "closing-references": ({ count: messages, slug }) => ({
    sentence: `${count(messages, "message")} would close issues of the workspace when pushed to GitHub ("Fixes #12").`,
    hint: `Point them at the source's issues with --qualify-refs ${slug ?? "owner/repo"}; that changes commit ids.`,
  }),
  "other-branches": ({ branches }) => ({
    sentence: `${count(branches.length, "branch of the source stays", "branches of the source stay")} behind: ${some(branches)}.`,
    hint: "Bring them with --branches '*'.",
  }),
  "other-tags": ({ count: tags }) => ({
    sentence: `${count(tags, "tag of the source stays", "tags of the source stay")} behind, not on what comes along.`,
    hint: "Bring them, and the history they need, with --tags all.",
  }),
  "tags-of-others": ({ count: tags }) => ({
    sentence: `${count(tags, "tag of the source stays", "tags of the source stay")} behind: they name other packages, or the repository as a whole.`,
    hint: "To have them all, fetch them from the source: git fetch <source> 'refs/tags/*:refs/tags/<name>/*'",
  }),
  "secrets-allowed": ({ found }) => ({
    sentence: `The history holds ${count(found.length, "credential")}, as you allowed: ${some(found.map(({ path, line }) => `${path}:${line}`))}.`,
    hint: "Revoke them before you push.",
  }),
  "lfs-allowed": ({ pointers, from }) => ({
    sentence: `${count(pointers.length, "file is a pointer", "files are pointers")} of Git LFS: ${some(pointers.map(({ path, oid }) => `${path} (${oid.slice(0, 10)})`))}.`,
    hint: `Bring their objects before you push: git lfs fetch --all ${shellWord(from)}. A .lfsconfig inside a package is not read.`,
  }),
  "submodules-kept": ({ paths }) => ({
    sentence: `${count(paths.length, "submodule comes", "submodules come")} along: ${some(paths)}.`,
    hint: "Fill them with: git submodule update --init",
  }),
  "no-workspace": () => ({
    sentence:
      "There is no package.json at the top of the target, so nothing is registered.",
    hint: "Make it a workspace first with `yarn init -w`.",
  }),
  "nested-packages": ({ names }) => ({
    sentence: `The source holds packages of its own: ${some(names)}. They come along inside it.`,
    hint: "Bring them as packages beside each other with --only packages/a packages/b.",
  }),
};

/** A refusal in words. */
export function explainRefusal(refusal: Refusal): Words {
  const words = REFUSALS[refusal.code] as (problem: Refusal) => Words;
  return words(refusal);
}

/** A warning in words. */
export function explainWarning(warning: Warning): Words {
  const words = WARNINGS[warning.code] as (problem: Warning) => Words;
  return words(warning);
}

const USAGE: readonly Refusal["code"][] = [
  "source-is-option",
  "source-control-characters",
  "source-transport",
  "source-unclear",
  "source-is-target",
  "bad-destination",
  "bad-only",
  "bad-name",
  "destinations-overlap",
  "no-such-branch",
  "unknown-step",
  "run-needs-install",
  "transplant-needs-graft",
  "no-github",
];

/** 2 where the command was wrong, 3 where the world is not ready for it. */
export function exitCodeOf(
  refusals: readonly Refusal[],
): typeof ExitCode.Usage | typeof ExitCode.Unfinished {
  return refusals.every(({ code }) => USAGE.includes(code))
    ? ExitCode.Usage
    : ExitCode.Unfinished;
}

const SHOWN = 5;

function some(texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN).map(printable).join(", ");
  const rest = texts.length - SHOWN;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function quote(text: string): string {
  return `"${printable(text)}"`;
}

import { shellWord } from "@skein/git";
import { count, formatBytes, printable, some } from "@skein/reporting";
import type { Facts } from "../survey/facts.js";
import type { LfsPointer } from "../lfs/pointers.js";
import {
  quote,
  type ProblemOf,
  type WordsByCode,
} from "../words/problem-words.js";
import { lfsRemote } from "../names/source-address.js";
import { showSecret, type SecretFound } from "../secrets/secret-found.js";
import type { InnerPackage } from "../survey/inner-packages.js";
import type { LargeFile } from "../survey/large-file.js";

/** PATH_MAX and NAME_MAX of Linux, in bytes (limits.h); the first counts a NUL. */
const LONGEST_PATH = 4096;
const LONGEST_NAME = 255;

/** The words of each refusal. */
export const CONTENT = {
  "nothing-there": ({ path }: { path: string }) => ({
    sentence:
      path === ""
        ? "the source's branch has no files"
        : `the source has nothing at ${quote(path)}`,
    hint: "paths in --only are relative to the source's top, at the tip of its branch",
  }),
  "no-package-json": ({ dir }: { dir: string }) => ({
    sentence: `the source has no package.json${dir === "" ? " at its top" : ` in ${quote(dir)}`}`,
    hint: "migrate it anyway with --allow non-package, or choose a folder with --only",
  }),
  "no-packages": () => ({
    sentence:
      "--only auto migrates all packages of a workspace, but the source's root lists none",
    hint: "omit --only, or name folders: --only packages/a packages/b",
  }),
  monorepo: ({ packages }: { packages: readonly InnerPackage[] }) => ({
    sentence: `the source is a workspace of ${count(packages.length, "package")}: ${packages.map(({ dir, name }) => printable(name === undefined ? dir : `${dir} (${name})`)).join(", ")}`,
    hint: "migrate all of them as separate packages with --only auto, or some with --only PATH..., or everything as one folder with --allow non-package",
  }),
  "not-utf8": ({ paths }: { paths: readonly string[] }) => ({
    sentence: `${count(paths.length, "file name")} of the source's branch ${paths.length === 1 ? "is" : "are"} not UTF-8: ${some(paths)}`,
    hint: "rename them in the source (git mv) and commit; older commits may keep such names",
  }),
  "path-too-long": ({ path }: { path: string }) => ({
    sentence: `a path of the source is too long to be checked out below the workspace: ${quote(`${path.slice(0, 80)}...`)} has ${Buffer.byteLength(path)} bytes`,
    hint: `Linux allows paths of ${LONGEST_PATH - 1} bytes and names of ${LONGEST_NAME}; shorten it in the source, or exclude it with --only`,
  }),
  submodules: ({ paths }: { paths: readonly string[] }) => ({
    sentence: `the source has ${count(paths.length, "submodule")}: ${some(paths)}; git reads .gitmodules at the top of a repository only, so they would stay empty`,
    hint: "keep them, with re-anchored entries in the workspace's .gitmodules: --allow submodules",
  }),
  lfs: ({
    pointers,
    from,
  }: {
    pointers: readonly LfsPointer[];
    /** The source, as an argument for git-lfs. */
    from: string;
  }) => ({
    sentence: `${count(pointers.length, "file is", "files are")} stored in Git LFS, but git-lfs, which would fetch them, is not installed: ${some(pointers.map(({ path }) => path))}`,
    hint: `install it (apt-get install git-lfs, brew install git-lfs; git-lfs.com) and start again; or migrate only the pointers with --allow lfs, and fetch their objects before you push: git lfs fetch --all ${shellWord(from)}`,
  }),
  "lfs-missing": ({
    pointers,
    message,
  }: {
    pointers: readonly LfsPointer[];
    message: string;
  }) => ({
    sentence: `git-lfs cannot fetch ${count(pointers.length, "object")}: ${some(pointers.map(({ path, oid }) => `${path} (${oid.slice(0, 10)})`))}${message === "" ? "" : `; its message: ${message}`}`,
    hint: "make sure that the source's LFS server has them, or migrate only the pointers with --allow lfs",
  }),
  secrets: ({ found }: { found: readonly SecretFound[] }) => ({
    sentence: `the source's history contains ${count(found.length, "credential")}: ${some(found.map(showSecret))}`,
    hint: "revoke them first: everyone who can read the workspace could read them; then continue with --allow secrets",
  }),
  "large-file": ({ file, limit }: { file: LargeFile; limit: number }) => ({
    sentence: `${quote(file.path)} is ${formatBytes(file.size)}, more than the ${formatBytes(limit)} allowed`,
    hint: "raise the limit with --max-file-size, or remove the file from the source's history",
  }),
} satisfies WordsByCode;

/** Refusals of a source's content. */
export type ContentRefusal = ProblemOf<typeof CONTENT>;

/** Returns the refusals that follow from the history. */
export function refuseContent(facts: Facts): readonly ContentRefusal[] {
  const { request, tipFacts, history, placements, address, target } = facts;
  const allowed = (permission: (typeof request.allow)[number]) =>
    request.allow.includes(permission);
  const refusals: ContentRefusal[] = tipFacts.missing.map((path) => ({
    code: "nothing-there",
    path,
  }));
  if (
    facts.inner.length > 0 &&
    request.only.length === 0 &&
    !allowed("non-package")
  )
    refusals.push({ code: "monorepo", packages: facts.inner });
  if (tipFacts.notUtf8.length > 0)
    refusals.push({ code: "not-utf8", paths: tipFacts.notUtf8 });
  const tooLong = tipFacts.longPaths.find((path) => isTooLong(path, target));
  if (tooLong !== undefined)
    refusals.push({ code: "path-too-long", path: tooLong });
  const main = placements[0]?.to ?? "";
  if (
    refusals.length === 0 &&
    !allowed("non-package") &&
    !tipFacts.manifests.some(({ dir }) => dir === main)
  )
    refusals.push({ code: "no-package-json", dir: placements[0]?.from ?? "" });
  if (tipFacts.submodules.length > 0 && !allowed("submodules"))
    refusals.push({ code: "submodules", paths: tipFacts.submodules });
  if (history.lfs.length > 0 && !allowed("lfs") && !facts.gitLfs)
    refusals.push({
      code: "lfs",
      pointers: history.lfs,
      from: lfsRemote(address),
    });
  if (history.secrets.length > 0 && !allowed("secrets"))
    refusals.push({ code: "secrets", found: history.secrets });
  const [largest] = history.large;
  if (largest && largest.size > request.maxFileSize)
    refusals.push({
      code: "large-file",
      file: largest,
      limit: request.maxFileSize,
    });
  return refusals;
}

/**
 * The length of the folder, below the workspace's top, where files are checked out before they land:
 * `.git/skein-migrate/quarantine-XXXXXX/tree/`.
 */
const BELOW_TOP = 50;

function isTooLong(
  path: string,
  { topLevel = "" }: Pick<Facts["target"], "topLevel">,
): boolean {
  return (
    Buffer.byteLength(topLevel) + BELOW_TOP + Buffer.byteLength(path) >=
      LONGEST_PATH ||
    path.split("/").some((name) => Buffer.byteLength(name) > LONGEST_NAME)
  );
}

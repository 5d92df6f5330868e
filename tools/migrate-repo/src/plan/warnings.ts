import { shellWord } from "@skein/git";
import { count, formatBytes, printable, some } from "@skein/reporting";
import { globMatches } from "@skein/versions";
import { nestedPackages, type Facts } from "../survey/facts.js";
import type { LfsPointer } from "../lfs/pointers.js";
import {
  explain,
  quote,
  type Words,
  type ProblemOf,
  type Texts,
  type WordsByCode,
} from "../words/problem-words.js";
import { lfsRemote } from "../names/source-address.js";
import { showSecret, type SecretFound } from "../secrets/secret-found.js";
import { PUSH_LIMIT, type LargeFile } from "../survey/large-file.js";

const WARNINGS = {
  "hooks-not-run": ({ hooks }: { hooks: readonly string[] }) => ({
    sentence: `the workspace's hooks (${some(hooks)}) are not run for the commits of a migration`,
    hint: "run the checks you want on the result before you push",
  }),
  "pushed-size": ({ files }: { files: readonly LargeFile[] }) => ({
    sentence: `${count(files.length, "file of the history is", "files of the history are")} over GitHub's limit of 100 MiB for a push: ${some(files.map(({ path, size }) => `${path} (${formatBytes(size)})`))}`,
    hint: "remove them from the source's history first (git filter-repo --strip-blobs-bigger-than 100M), or drop the history with --history squash",
  }),
  "case-twins": ({ names }: { names: readonly string[] }) => ({
    sentence: `${some(names)} differ only by case: on macOS and Windows one of them is lost`,
    hint: "rename one of them",
  }),
  "escaping-links": ({
    links,
  }: {
    links: readonly { path: string; to: string }[];
  }) => ({
    sentence: `${count(links.length, "symlink points", "symlinks point")} out of the package: ${some(links.map(({ path, to }) => `${path} -> ${to}`))}`,
    hint: "they are left unchanged; check what they now point to",
  }),
  "long-paths": ({ paths }: { paths: readonly string[] }) => ({
    sentence: `${count(paths.length, "path is", "paths are")} longer than the 260 characters Windows opens: ${some(paths)}`,
    hint: "choose a shorter destination, or tell Windows users to set core.longpaths",
  }),
  "ignored-destination": ({ path, rule }: Texts<"path" | "rule">) => ({
    sentence: `the workspace ignores ${quote(path)} (${printable(rule)}): git would not report new files there`,
    hint: "change that rule, or choose a different folder with --to",
  }),
  "closing-references": ({
    count: messages,
    slug,
  }: {
    count: number;
    slug: string | undefined;
  }) => ({
    sentence: `${count(messages, "message")} would close issues of the workspace when pushed to GitHub ("Fixes #12")`,
    hint: `point them at the source's issues with --qualify-refs ${slug ?? "owner/repo"}; that changes commit ids`,
  }),
  "other-branches": ({ branches }: { branches: readonly string[] }) => ({
    sentence: `${count(branches.length, "branch of the source is", "branches of the source are")} not migrated: ${some(branches)}`,
    hint: "migrate them with --branches '*'",
  }),
  "unmatched-branches": ({ globs }: { globs: readonly string[] }) => ({
    sentence: `no branch of the source matches ${some(globs)}`,
    hint: "`git ls-remote --heads <source>` lists them; those of a clone's remotes are not among them",
  }),
  "other-tags": ({ count: tags }: { count: number }) => ({
    sentence: `${count(tags, "tag of the source is", "tags of the source are")} not migrated: not reachable from the migrated commits`,
    hint: "migrate them, and the history they need, with --tags all",
  }),
  "tags-of-others": ({ count: tags }: { count: number }) => ({
    sentence: `${count(tags, "tag of the source is", "tags of the source are")} not migrated: they belong to other packages, or to the repository as a whole`,
    hint: "to get them all, fetch them from the source: git fetch <source> 'refs/tags/*:refs/tags/<name>/*'",
  }),
  "secrets-allowed": ({ found }: { found: readonly SecretFound[] }) => ({
    sentence: `the history contains ${count(found.length, "credential")}, as you allowed: ${some(found.map(showSecret))}`,
    hint: "revoke them before you push",
  }),
  "lfs-allowed": ({
    pointers,
    from,
  }: {
    pointers: readonly LfsPointer[];
    /** The source, as an argument for git-lfs. */
    from: string;
  }) => ({
    sentence: `${count(pointers.length, "file is a pointer", "files are pointers")} of Git LFS: ${some(pointers.map(({ path, oid }) => `${path} (${oid.slice(0, 10)})`))}`,
    hint: `fetch their objects before you push: git lfs fetch --all ${shellWord(from)}; a .lfsconfig inside a package is not read`,
  }),
  "submodules-kept": ({ paths }: { paths: readonly string[] }) => ({
    sentence: `${count(paths.length, "submodule is", "submodules are")} migrated: ${some(paths)}`,
    hint: "check them out with: git submodule update --init",
  }),
  "no-workspace": () => ({
    sentence:
      "there is no package.json at the top of the target, so nothing is registered",
    hint: "make it a workspace first with `yarn init -w`",
  }),
  "nested-packages": ({ names }: { names: readonly string[] }) => ({
    sentence: `the source contains other packages: ${some(names)}; they are migrated inside it`,
    hint: "migrate them as separate packages with --only packages/a packages/b",
  }),
} satisfies WordsByCode;

/** A fact that people should know, and that doesn't stop the migration. */
export type Warning = ProblemOf<typeof WARNINGS>;

/** Returns a warning in words. */
export function explainWarning(warning: Warning): Words {
  return explain(WARNINGS, warning);
}

/**
 * Returns the warnings about a migration.
 * @param left the number of tags on migrated commits that aren't migrated, because they belong to other packages
 */
export function warn(facts: Facts, left: number): readonly Warning[] {
  const { tipFacts, history, target, staying, closing } = facts;
  const nested = nestedPackages(facts);
  const unmatched = facts.request.branches.filter(
    (glob) =>
      !facts.announcement.branches.some(({ name }) => globMatches(glob, name)),
  );
  const pushed = history.large.filter(({ size }) => size >= PUSH_LIMIT);
  const warnings: (Warning | false)[] = [
    history.secrets.length > 0 && {
      code: "secrets-allowed",
      found: history.secrets,
    },
    history.lfs.length > 0 &&
      facts.request.allow.includes("lfs") && {
        code: "lfs-allowed",
        pointers: history.lfs,
        from: lfsRemote(facts.address),
      },
    pushed.length > 0 && { code: "pushed-size", files: pushed },
    ...tipFacts.caseTwins.map((names) => ({
      code: "case-twins" as const,
      names,
    })),
    tipFacts.escapingLinks.length > 0 && {
      code: "escaping-links",
      links: tipFacts.escapingLinks,
    },
    tipFacts.longPaths.length > 0 && {
      code: "long-paths",
      paths: tipFacts.longPaths,
    },
    tipFacts.submodules.length > 0 && {
      code: "submodules-kept",
      paths: tipFacts.submodules,
    },
    ...facts.destinations.flatMap(({ path, ignoredBy: rule }) =>
      rule === undefined
        ? []
        : [{ code: "ignored-destination" as const, path, rule }],
    ),
    closing > 0 && {
      code: "closing-references",
      count: closing,
      slug: facts.address.slug,
    },
    unmatched.length > 0 && { code: "unmatched-branches", globs: unmatched },
    staying.length > 0 && { code: "other-branches", branches: staying },
    facts.otherTags > 0 && { code: "other-tags", count: facts.otherTags },
    left > 0 && { code: "tags-of-others", count: left },
    target.packages === undefined && { code: "no-workspace" },
    target.hooks.length > 0 && { code: "hooks-not-run", hooks: target.hooks },
    nested.length > 0 && { code: "nested-packages", names: nested },
  ];
  return warnings.filter((warning) => warning !== false);
}

import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { gitIn, json, type CommitSpec } from "@skein/testing";
import {
  buildPair,
  fingerprint,
  libFiles,
  migrate,
  workspaceFiles,
  type Pair,
} from "../migrate.test.kit.js";

/** A repository or a workspace in which a careless tool would fail. */
interface Trap {
  readonly name: string;
  readonly source?: readonly CommitSpec[];
  readonly target?: readonly CommitSpec[];
  /** Sets the trap in the built pair. */
  readonly prepare?: (pair: Pair) => void | Promise<void>;
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code: 2 | 3;
  readonly says: string;
}

const plain: readonly CommitSpec[] = [{ files: libFiles }];
const put = async (file: string, content: string) => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
};

/** Commits a submodule to a repository. */
const addSubmodule = (dir: string, path: string) => {
  const id = gitIn(dir, "rev-parse", "HEAD").trim();
  const entry = `160000,${id},${path}`;
  gitIn(dir, "update-index", "--add", "--cacheinfo", entry);
  gitIn(dir, "commit", "--quiet", "--message", path);
};

const refused: readonly Trap[] = [
  {
    name: "a destination that is a file",
    target: [{ files: { ...workspaceFiles, "packages/lib": "" } }],
    code: 3,
    says: '"packages/lib" cannot be a folder: "packages/lib" is a file',
  },
  {
    name: "a destination that is tracked",
    target: [{ files: { ...workspaceFiles, "packages/lib/x": "" } }],
    code: 3,
    says: '"packages/lib" already exists in the workspace',
  },
  {
    name: "a destination with a precious file",
    prepare: ({ target }) => put(join(target, "packages/lib/x"), "precious"),
    code: 3,
    says: '"packages/lib" exists on disk with files that git does not track',
  },
  {
    name: "a destination that is ignored",
    target: [{ files: { ...workspaceFiles, ".gitignore": "/packages/lib\n" } }],
    prepare: ({ target }) => put(join(target, "packages/lib/x"), "precious"),
    code: 3,
    says: '"packages/lib" exists on disk; the workspace\'s .gitignore hides it from git',
  },
  {
    name: "a destination that differs by case",
    target: [{ files: { ...workspaceFiles, "packages/Lib/x": "" } }],
    code: 3,
    says: '"packages/lib" differs from "packages/Lib" only by case',
  },
  {
    name: "a destination behind a tracked symlink",
    target: [{ files: { ...workspaceFiles, out: { symlink: "../lib" } } }],
    argv: ["--to", "out/lib"],
    code: 3,
    says: '"out/lib" goes through the symlink "out"',
  },
  {
    name: "a destination behind an untracked symlink",
    prepare: ({ target }) => symlink("../lib", join(target, "out")),
    argv: ["--to", "out/lib"],
    code: 3,
    says: '"out/lib" goes through the symlink "out"',
  },
  {
    name: "a destination in a submodule",
    prepare: async ({ target }) => {
      addSubmodule(target, "vendor/s");
      await mkdir(join(target, "vendor/s"), { recursive: true });
    },
    argv: ["--to", "vendor/s/lib"],
    code: 3,
    says: '"vendor/s/lib" is in the submodule "vendor/s"',
  },
  {
    name: "destinations that overlap",
    source: [
      {
        files: {
          "a/package.json": json({ name: "@acme/a" }),
          "b/package.json": json({ name: "@acme/b" }),
        },
      },
    ],
    argv: ["--only", "a=packages/a", "b=packages/a/b"],
    code: 2,
    says: 'the destinations "packages/a" and "packages/a/b" overlap',
  },
  {
    name: "a destination that is no workspace",
    target: [
      {
        files: {
          ...workspaceFiles,
          "package.json": json({
            name: "monorepo",
            workspaces: ["packages/*", "!packages/lib"],
          }),
        },
      },
    ],
    code: 3,
    says: "the root's workspaces exclude packages/lib: !packages/lib",
  },
  {
    name: "packages that would have one name",
    source: [
      {
        files: {
          ...libFiles,
          "a/package.json": json({ name: "@acme/x" }),
          "b/package.json": json({ name: "@acme/x" }),
        },
      },
    ],
    target: [
      {
        files: {
          ...workspaceFiles,
          "package.json": json({
            name: "monorepo",
            workspaces: ["packages/**"],
          }),
        },
      },
    ],
    code: 3,
    says: "two workspaces would have the name @acme/x: packages/lib/a and packages/lib/b",
  },
  {
    name: "a destination inside a package",
    argv: ["--to", "packages/app/lib"],
    code: 3,
    says: '"packages/app/lib" is inside the package "@acme/app" (packages/app)',
  },
  ...(
    [
      ["../out", "it has an empty, `.` or `..` part"],
      ["/tmp/out", "it is absolute"],
      ["packages/.GIT/x", "it leads into a .git folder"],
      ["packages/git~1", "it leads into a .git folder"],
      ["packages/a\u202eb", "it has control characters"],
      ["packages\\lib", "it has a backslash"],
      ["packages/con", "Windows does not allow a folder with that name"],
      [".", "it names the workspace itself"],
    ] as const
  ).map(([to, says]): Trap => ({
    name: `--to ${to}`,
    argv: ["--to", to],
    code: 2,
    says,
  })),
  {
    name: "a package beside the first whose name is a command",
    source: [
      {
        files: {
          "a/package.json": json({ name: "@acme/a" }),
          "b/package.json": json({ name: "$(touch pwned)" }),
        },
      },
    ],
    argv: ["--only", "a", "b"],
    code: 2,
    says: '"$(touch pwned)" cannot be a package\'s name',
  },
  {
    name: "a staged change",
    prepare: async ({ target }) => {
      await put(join(target, "new.txt"), "x");
      gitIn(target, "add", "new.txt");
    },
    code: 3,
    says: "1 tracked file differs from the last commit: new.txt",
  },
  {
    name: "a detached HEAD",
    prepare: ({ target }) => {
      gitIn(target, "checkout", "--quiet", "--detach");
    },
    code: 3,
    says: "HEAD is detached",
  },
  {
    name: "a bare workspace",
    prepare: async ({ target, dir }) => {
      await rename(target, join(dir, "full"));
      gitIn(dir, "clone", "--quiet", "--bare", "full", target);
    },
    code: 3,
    says: "this is a bare repository",
  },
  {
    name: "a workspace without a commit",
    prepare: async ({ target, dir }) => {
      await rename(target, join(dir, "full"));
      gitIn(dir, "init", "--quiet", target);
    },
    code: 3,
    says: "the workspace has no commit yet",
  },
  {
    name: "a sparse workspace",
    prepare: ({ target }) => {
      gitIn(target, "sparse-checkout", "set", "packages/other");
    },
    code: 3,
    says: "the workspace is a sparse checkout",
  },
  {
    name: "git without an identity",
    env: { GIT_COMMITTER_NAME: "", GIT_COMMITTER_EMAIL: "" },
    code: 3,
    says: "git has no name and email for the new commits",
  },
  {
    name: "a merge in progress",
    target: [
      { files: workspaceFiles },
      { branch: "side", from: "main", files: { a: "1" } },
      { branch: "main", files: { b: "1" } },
    ],
    prepare: ({ target }) => {
      gitIn(target, "merge", "--quiet", "--no-commit", "--no-ff", "side");
    },
    code: 3,
    says: "a merge is in progress",
  },
  {
    name: "a shallow workspace",
    target: [{ files: workspaceFiles }, { files: { a: "1" } }],
    prepare: async ({ target, dir }) => {
      await rename(target, join(dir, "full"));
      gitIn(dir, "clone", "--quiet", "--depth=1", `file://${dir}/full`, target);
    },
    code: 3,
    says: "the workspace is a shallow clone",
  },
  {
    name: "a shallow source",
    source: [...plain, { files: { a: "1" } }],
    prepare: async ({ source, dir }) => {
      await rename(source, join(dir, "full"));
      gitIn(dir, "clone", "--quiet", "--depth=1", `file://${dir}/full`, source);
    },
    code: 3,
    says: "the source is a shallow clone: its older history is missing",
  },
  {
    name: "a partial clone as source",
    prepare: async ({ source, dir }) => {
      gitIn(source, "config", "uploadpack.allowFilter", "true");
      await rename(source, join(dir, "full"));
      gitIn(
        dir,
        "clone",
        "--quiet",
        "--no-checkout",
        "--filter=blob:none",
        `file://${dir}/full`,
        source,
      );
    },
    code: 3,
    says: "the source is a partial clone: some of its files are missing",
  },
  {
    name: "an empty source",
    prepare: async ({ dir }) => {
      await mkdir(join(dir, "empty"));
      gitIn(join(dir, "empty"), "init", "--quiet");
    },
    argv: ["../empty"],
    code: 3,
    says: "the source is empty: it has no branch and no tag",
  },
  {
    name: "a source without a main branch",
    prepare: ({ source }) => {
      gitIn(source, "checkout", "--quiet", "--detach");
    },
    code: 3,
    says: "the source has no main branch",
  },
  {
    name: "a source whose branch has no files",
    source: [...plain, { remove: Object.keys(libFiles) }],
    code: 3,
    says: "the source's branch has no files",
  },
  {
    name: "a folder that the source doesn't have",
    argv: ["--only", "nowhere"],
    code: 3,
    says: 'the source has nothing at "nowhere"',
  },
  {
    name: "a folder that no source can have",
    argv: ["--only", "../other"],
    code: 2,
    says: '--only "../other" is not possible: it has an empty, `.` or `..` part',
  },
  {
    name: "a step that doesn't exist",
    argv: ["--skip", "lint"],
    code: 2,
    says: 'there is no step "lint" to skip',
  },
  {
    name: "a submodule",
    prepare: ({ source }) => addSubmodule(source, "vendor/s"),
    code: 3,
    says: "the source has 1 submodule: packages/lib/vendor/s; git reads .gitmodules at the top",
  },
  {
    name: "a source with other object names",
    prepare: ({ dir }) => {
      gitIn(dir, "init", "--quiet", "--object-format=sha256", "other");
      gitIn(
        join(dir, "other"),
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        "x",
      );
    },
    argv: ["../other"],
    code: 3,
    says: "the source uses sha256 for object ids, and the workspace sha1",
  },
  {
    name: "the workspace as its own source",
    argv: ["."],
    code: 2,
    says: "the source is the workspace itself",
  },
  {
    name: "a source without a package.json",
    source: [{ files: { "README.md": "" } }],
    code: 3,
    says: "the source has no package.json at its top",
  },
  {
    name: "a name that is used",
    source: [{ files: { "package.json": json({ name: "@acme/app" }) } }],
    argv: ["--to", "packages/lib"],
    code: 3,
    says: 'the name "@acme/app" is already used in the workspace, by packages/app',
  },
  {
    name: "a name that leaves the folder",
    source: [{ files: { "package.json": json({ name: "../../evil" }) } }],
    code: 2,
    says: '"../../evil" cannot be a package\'s name',
  },
  {
    name: "a name that a command would take for an option",
    source: [{ files: { "package.json": json({ name: "--x" }) } }],
    code: 2,
    says: '"--x" cannot be a package\'s name',
  },
  {
    name: "a prefix of references that isn't a repository",
    argv: ["--qualify-refs", "acme lib"],
    code: 2,
    says: '"acme lib" cannot qualify #12: it is not an owner/name',
  },
  {
    name: "a branch that is not there",
    argv: ["--ref", "trunk"],
    code: 2,
    says: 'the source has no branch "trunk"',
  },
  {
    name: "a tag that exists",
    source: [{ files: libFiles, tags: ["v1.0.0"] }],
    prepare: ({ target }) => {
      gitIn(target, "tag", "@acme/lib@1.0.0");
    },
    code: 3,
    says: '"refs/tags/@acme/lib@1.0.0" already exists; refs/tags/v1.0.0 of the source would overwrite it',
  },
  {
    name: "a tag where a folder of tags is",
    source: [{ files: libFiles, tags: ["v1.0.0"] }],
    prepare: ({ target }) => {
      gitIn(target, "tag", "@acme/lib@1.0.0/old");
    },
    code: 3,
    says: '"refs/tags/@acme/lib@1.0.0" cannot exist next to "refs/tags/@acme/lib@1.0.0/old"',
  },
  {
    name: "tags that would get one name",
    source: [
      { files: libFiles, tags: ["1.0.0", "@acme/lib@v1.0.0"] },
      { files: { a: "1" }, tags: ["v1.0.0"] },
    ],
    code: 3,
    says: "would both become",
  },
  {
    name: "a format of tags that git refuses",
    source: [{ files: libFiles, tags: ["v1.0.0"] }],
    argv: ["--tag-format", "{name}..{tag}"],
    code: 3,
    says: '"refs/tags/@acme/lib..v1.0.0" is not a valid ref name',
  },
  {
    name: "a token that was removed again",
    source: [
      {
        files: {
          ...libFiles,
          "sub/.npmrc": `//r.example/:_authToken=npm_${"a1".repeat(18)}\n`,
        },
      },
      { remove: ["sub/.npmrc"] },
    ],
    code: 3,
    says: "the source's history contains 1 credential: sub/.npmrc:1 (npm access token",
  },
  {
    name: "a file that is too large",
    source: [
      { files: { ...libFiles, big: "x".repeat(3_000_000) } },
      { remove: ["big"] },
    ],
    argv: ["--max-file-size", "2"],
    code: 3,
    says: '"big" is 2.9 MiB, more than the 2.0 MiB allowed',
  },
  ...(
    [
      ["--upload-pack=touch x", "begins with a dash"],
      ["ext::sh -c touch% x", 'the transport "ext" is not allowed'],
      ["http://example.invalid/x.git", 'the transport "http" is not allowed'],
      ["fd::17", 'the transport "fd" is not allowed'],
      ["no/such/folder", "is not a folder, a git URL or owner/name"],
      ["https://x.invalid/\u001b[2J", "has control characters"],
      ["https://x.invalid/a/b.git?token=s3cr3t", "a part after ? or #"],
    ] as const
  ).map(([source, says]): Trap => ({
    name: `the source ${JSON.stringify(source)}`,
    argv: ["--", source],
    code: 2,
    says,
  })),
];

describe("is refused, and the workspace doesn't change", () => {
  test.each(refused.map((trap) => [trap.name, trap] as const))(
    "%s",
    async (_, trap) => {
      await using pair = await buildPair(trap.source ?? plain, trap.target);
      await trap.prepare?.(pair);
      const before = await fingerprint(pair.target);
      const argv = trap.argv ?? [];
      const hasSource = argv.some(
        (arg) =>
          arg === "--" || (/^\.{1,2}(?:\/|$)/.test(arg) && argv[0] === arg),
      );
      const { code, stderr, stdout } = await migrate(
        pair.target,
        ["add", ...(hasSource ? argv : ["../lib", ...argv])],
        { env: trap.env ?? {} },
      );
      expect(stderr).toContain(trap.says);
      expect({ code, stdout }).toEqual({ code: trap.code, stdout: "" });
      expect(stderr).toMatch(/^migrate-repo: [^]*\nhint: .+\n$/);
      expect(await fingerprint(pair.target)).toBe(before);
    },
  );
});

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import { Failure } from "@skein/reporting";
import {
  findProgram,
  gitIn,
  gitTestEnv,
  startFakeGitHub,
} from "@skein/testing";
import {
  buildPair,
  FINE,
  fingerprint,
  historyOnly,
  libFiles,
  migrate,
  type Pair,
  type Ran,
} from "../migrate.test.kit.js";

/** A stand-in for git-lfs that supports the commands of migrate-repo: its version, and `fetch --all` from a folder. */
const STAND_IN = `#!/usr/bin/env node
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
const said = process.argv.slice(2).join(" ");
const config = (key) =>
  execFileSync("git", ["config", key], { encoding: "utf8" }).trim();
if (said === "version") console.log("git-lfs/3.0.0 (stand-in)");
else if (said === "fetch --all source") {
  if (process.env.NO_SERVER) {
    console.error("batch response: lfs.example.invalid: no such host");
    process.exit(2);
  }
  const home = fileURLToPath(config("remote.source.url"));
  cpSync(home + "/.git/lfs/objects", process.env.GIT_DIR + "/lfs/objects", {
    recursive: true,
  });
} else {
  console.error("the stand-in does not know: " + said);
  process.exit(64);
}
`;

const gitLfs = findProgram({
  names: ["git-lfs"],
  package: "git-lfs",
  tests: "a migration with the real Git LFS",
});

const contents = ["first picture\n", "second picture\n"] as const;

const oidOf = (content: string) =>
  createHash("sha256").update(content).digest("hex");
const pointerTo = (content: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(content)}\nsize ${content.length}\n`;
const objectIn = (repository: string, content: string) => {
  const oid = oidOf(content);
  return join(
    repository,
    ".git/lfs/objects",
    oid.slice(0, 2),
    oid.slice(2, 4),
    oid,
  );
};

/** Builds two versions of a picture, both with their objects in the source. */
async function buildLfsPair(): Promise<Pair> {
  const pair = await buildPair([
    {
      files: {
        ...libFiles,
        ".gitattributes": "*.png filter=lfs diff=lfs merge=lfs -text\n",
        "logo.png": pointerTo(contents[0]),
      },
    },
    { files: { "logo.png": pointerTo(contents[1]) } },
  ]);
  for (const content of contents) await keep(pair.source, content);
  return pair;
}

async function keep(repository: string, content: string): Promise<void> {
  const file = objectIn(repository, content);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function withStandIn(
  pair: Pair,
  argv: readonly string[],
  options: Parameters<typeof migrate>[2] = {},
): Promise<Ran> {
  const bin = join(pair.dir, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "git-lfs"), STAND_IN);
  await writeFile(join(bin, "package.json"), '{"type":"module"}');
  await chmod(join(bin, "git-lfs"), 0o755);
  const PATH = `${bin}${delimiter}${gitTestEnv["PATH"] ?? ""}`;
  return migrate(pair.target, argv, {
    ...options,
    env: { PATH, ...options.env },
  });
}

const add = ["add", "../lib", ...historyOnly];

test("without git-lfs, the migration is refused with a command to install it", async () => {
  await using pair = await buildLfsPair();
  const bin = join(pair.dir, "bare-path");
  await mkdir(bin);
  const { stdout: git } = spawnSync("which", ["git"], { encoding: "utf8" });
  await symlink(git.trim(), join(bin, "git"));
  const before = await fingerprint(pair.target);
  const ran = await migrate(pair.target, add, { env: { PATH: bin } });
  expect(ran).toEqual({
    code: 3,
    stdout: "",
    stderr: `migrate-repo: 2 files are stored in Git LFS, but git-lfs, which would fetch them, is not installed: logo.png, logo.png\nhint: install it (apt-get install git-lfs, brew install git-lfs; git-lfs.com) and start again; or migrate only the pointers with --allow lfs, and fetch their objects before you push: git lfs fetch --all ${pathToFileURL(pair.source).href}\n`,
  });
  expect(await fingerprint(pair.target)).toBe(before);
});

test("git-lfs fetches the objects of every commit; a dry run only announces it", async () => {
  await using pair = await buildLfsPair();
  const before = await fingerprint(pair.target);
  const planned = await withStandIn(pair, [...add, "--dry-run"]);
  expect(planned.stdout).toContain(
    "\n  lfs          2 objects, 29 B: fetched by git-lfs\n",
  );
  expect(await fingerprint(pair.target)).toBe(before);

  const { code, stdout } = await withStandIn(pair, add);
  expect(code).toBe(0);
  expect(stdout).toContain(
    "\n  lfs          2 objects (29 B) of Git LFS fetched; the files are pointers until: git lfs install && git lfs checkout packages/lib\n",
  );
  for (const content of contents)
    expect(await readFile(objectIn(pair.target, content), "utf8")).toBe(
      content,
    );
  expect(gitIn(pair.target, "show", "HEAD:packages/lib/logo.png")).toBe(
    pointerTo(contents[1]),
  );

  const third = "third picture\n";
  await keep(pair.source, third);
  await writeFile(join(pair.source, "logo.png"), pointerTo(third));
  gitIn(pair.source, "commit", "--all", "--quiet", "--message", "third");
  const synced = await withStandIn(pair, ["sync", "lib"]);
  expect(synced).toMatchObject(FINE);
  expect(synced.stdout).toContain("1 object (14 B) of Git LFS fetched");
  expect(await readFile(objectIn(pair.target, third), "utf8")).toBe(third);
});

test("an unavailable object stops the migration; --allow lfs migrates only the pointers", async () => {
  await using pair = await buildLfsPair();
  await rm(objectIn(pair.source, contents[0]));
  const before = await fingerprint(pair.target);
  const oid = oidOf(contents[0]).slice(0, 10);
  const lost = await withStandIn(pair, add);
  expect({ ...lost, stdout: "" }).toEqual({
    code: 3,
    stdout: "",
    stderr: `migrate-repo: git-lfs cannot fetch 1 object: logo.png (${oid})\nhint: make sure that the source's LFS server has them, or migrate only the pointers with --allow lfs\n`,
  });
  const offline = await withStandIn(pair, add, {
    env: { NO_SERVER: "1" },
  });
  expect(offline.stderr).toContain(
    "its message: batch response: lfs.example.invalid: no such host\n",
  );
  expect(await fingerprint(pair.target)).toBe(before);
  const allowed = await withStandIn(pair, [...add, "--allow", "lfs"]);
  expect(allowed.code).toBe(0);
  expect(allowed.stdout).toContain(
    "warning: 2 files are pointers of Git LFS: logo.png (",
  );
});

test("objects of transplanted pull requests are fetched, or the command to fetch them is printed", async () => {
  await using pair = await buildLfsPair();
  await using github = await startFakeGitHub();
  const repository = github.addRepository("octo/lib", { dir: pair.source });
  const env = { GITHUB_API_URL: github.url };
  await withStandIn(pair, add);
  const open = async (number: number, content: string) => {
    const head = `picture-${number}`;
    await keep(pair.source, content);
    gitIn(pair.source, "switch", "--quiet", "--create", head, "main");
    await writeFile(join(pair.source, "logo.png"), pointerTo(content));
    gitIn(pair.source, "commit", "--all", "--quiet", "--message", head);
    gitIn(pair.source, "switch", "--quiet", "main");
    github.addPull(repository, { number, base: "main", head, title: head });
  };
  const transplant = ["sync", "lib", "--transplant", "--github", "octo/lib"];
  await open(1, "one\n");
  const offline = await withStandIn(pair, transplant, {
    env: { ...env, NO_SERVER: "1" },
  });
  expect(offline).toMatchObject(FINE);
  expect(offline.stdout).toContain(
    `\nwarning: 1 file of theirs in Git LFS is a pointer to a missing object: batch response: lfs.example.invalid: no such host\nhint: before you push them: git lfs fetch --all ${pathToFileURL(pair.source).href}\nTo push them: `,
  );
  expect(existsSync(objectIn(pair.target, "one\n"))).toBe(false);
  await open(2, "two\n");
  const online = await withStandIn(pair, transplant, { env });
  expect(online.stdout).toContain(
    "\n1 object (4 B) of Git LFS fetched; on such a branch the files are pointers until: git lfs install && git lfs checkout\nTo push them: ",
  );
  expect(existsSync(objectIn(pair.target, "two\n"))).toBe(true);
});

test("a rollback of a landing also removes the objects", async () => {
  await using pair = await buildLfsPair();
  const before = await fingerprint(pair.target);
  const arrived: boolean[] = [];
  const { code } = await withStandIn(pair, add, {
    checkpoint: (step) => {
      if (step !== "prepare") return;
      arrived.push(existsSync(objectIn(pair.target, contents[0])));
      throw new Failure("The disk is full.");
    },
  });
  expect({ code, arrived }).toEqual({ code: 3, arrived: [true] });
  expect(await fingerprint(pair.target)).toBe(before);
});

// Only the real git-lfs shows whether its commands still have these names.
if (gitLfs !== undefined)
  test("the git-lfs of this machine fetches the objects, and its checkout writes them", async () => {
    await using pair = await buildLfsPair();
    expect(await migrate(pair.target, add)).toMatchObject({ code: 0 });
    const git = (...args: string[]) => gitIn(pair.target, ...args);
    git("lfs", "install", "--local");
    git("lfs", "checkout", "packages/lib");
    expect(
      await readFile(join(pair.target, "packages/lib/logo.png"), "utf8"),
    ).toBe(contents[1]);
    expect(git("status", "--porcelain")).toBe("");
  });

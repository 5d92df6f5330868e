import { spawnSync } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, gitTestEnv, type CommitSpec } from "@skein/testing";
import {
  buildPair,
  fingerprint,
  historyOnly,
  libFiles,
  migrate,
  workspaceFiles,
} from "../migrate.test.kit.js";

const plain: readonly CommitSpec[] = [{ files: libFiles }];

/** Writes an object that git would not write itself. */
function rawObject(
  dir: string,
  type: string,
  content: string | Buffer,
): string {
  const { stdout } = spawnSync(
    "git",
    ["hash-object", "-t", type, "-w", "--literally", "--stdin"],
    { cwd: dir, env: gitTestEnv, input: content },
  );
  return stdout.toString().trim();
}

test.each([".git", ".GIT", "git~1", "..", ".git\u200c"])(
  "a path entry %j in the source is refused by git's checks",
  async (name) => {
    await using pair = await buildPair(plain);
    const blob = rawObject(pair.source, "blob", "x");
    const entry = Buffer.concat([
      Buffer.from(`100644 ${name}\0`),
      Buffer.from(blob, "hex"),
    ]);
    const tree = rawObject(pair.source, "tree", entry);
    const commit = gitIn(pair.source, "commit-tree", "-m", "evil", tree).trim();
    gitIn(pair.source, "update-ref", "refs/heads/main", commit);
    const before = await fingerprint(pair.target);
    const { code, stderr } = await migrate(pair.target, ["add", "../lib"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /contains an object that git's checks reject: hasDot/,
    );
    expect(await fingerprint(pair.target)).toBe(before);
  },
);

test("a source that sends less than its commits name is refused", async () => {
  await using pair = await buildPair(plain);
  const sent = ["HEAD", "HEAD^{tree}"].map((name) =>
    gitIn(pair.source, "rev-parse", name).trim(),
  );
  const less = join(pair.dir, "less.sh");
  await writeFile(
    less,
    `#!/bin/sh\ncat > /dev/null\nprintf '%s\\n' ${sent.join(" ")} | git pack-objects --quiet --stdout\n`,
  );
  await chmod(less, 0o755);
  const settings = join(pair.dir, "settings");
  await writeFile(
    settings,
    `[uploadpack]\npackObjectsHook = sh "\\"${less}\\""\n`,
  );
  const before = await fingerprint(pair.target);
  const { code, stderr } = await migrate(
    pair.target,
    ["add", "../lib", ...historyOnly],
    { env: { GIT_CONFIG_GLOBAL: settings } },
  );
  expect(stderr).toMatch(
    /^migrate-repo: cannot read the source .*: did not receive expected object [0-9a-f]{40}\n/,
  );
  expect(code).toBe(3);
  expect(await fingerprint(pair.target)).toBe(before);
});

test("a malformed author is fixed and counted; charsets and extra headers are accepted", async () => {
  await using pair = await buildPair(plain);
  const tree = gitIn(pair.source, "rev-parse", "HEAD^{tree}").trim();
  const head = gitIn(pair.source, "rev-parse", "HEAD").trim();
  const commit = rawObject(
    pair.source,
    "commit",
    Buffer.from(
      `tree ${tree}\nparent ${head}\nauthor A <b> <a@example.com> 1500000000 +051800\ncommitter C <c@example.com> 1500000000 +0000\nencoding ISO-8859-1\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nf\u00fcr\n`,
      "latin1",
    ),
  );
  gitIn(pair.source, "update-ref", "refs/heads/main", commit);
  const { code, stdout } = await migrate(pair.target, [
    "add",
    "../lib",
    ...historyOnly,
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain("repaired     1 author line");
  expect(stdout).toContain("signatures   1 lost in the rewrite");
  const { stdout: raw } = spawnSync("git", ["cat-file", "commit", "HEAD^2"], {
    cwd: pair.target,
    env: gitTestEnv,
  });
  expect(raw.toString("latin1")).toMatch(
    /\nauthor A b <a@example\.com> 1500000000 \+051800\n[^]*\nencoding ISO-8859-1\n\nf\u00fcr\n$/,
  );
});

test("no hook, config or filter of the source or the workspace runs", async () => {
  await using pair = await buildPair(
    [{ files: { ...libFiles, ".gitattributes": "* filter=evil\n" } }],
    [{ files: workspaceFiles }],
  );
  const touch = join(pair.dir, "touch.sh");
  await writeFile(touch, `#!/bin/sh\ntouch '${pair.dir}/RAN'\ncat\nexit 1\n`);
  await chmod(touch, 0o755);
  for (const [key, value] of [
    ["core.fsmonitor", touch],
    ["uploadpack.packObjectsHook", touch],
    ["core.sshCommand", touch],
    ["core.hooksPath", pair.dir],
  ] as const)
    gitIn(pair.source, "config", key, value);
  gitIn(pair.target, "config", "filter.evil.smudge", touch);
  gitIn(pair.target, "config", "filter.evil.process", touch);
  for (const hook of [
    "pre-commit",
    "commit-msg",
    "pre-merge-commit",
    "post-merge",
    "post-checkout",
  ])
    await symlink(touch, join(pair.target, ".git/hooks", hook)).catch(
      async () => {
        await mkdir(join(pair.target, ".git/hooks"), { recursive: true });
        await symlink(touch, join(pair.target, ".git/hooks", hook));
      },
    );
  const config = gitIn(pair.target, "config", "--list", "--local");
  const { code, stdout } = await migrate(pair.target, [
    "add",
    "../lib",
    ...historyOnly,
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    "the workspace's hooks (pre-commit, commit-msg, pre-merge-commit, post-merge, post-checkout) are not run",
  );
  expect(spawnSync("ls", [join(pair.dir, "RAN")]).status).not.toBe(0);
  expect(gitIn(pair.target, "config", "--list", "--local")).toBe(config);
  expect(gitIn(pair.target, "remote")).toBe("");
});

test("credentials of a URL are in no output and no file", async () => {
  await using pair = await buildPair(plain);
  const before = await fingerprint(pair.target);
  const { code, stderr } = await migrate(
    pair.target,
    "add https://user:s3cr3t@127.0.0.1:1/acme/lib.git",
  );
  expect(code).toBe(3);
  expect(stderr).toContain(
    "cannot read the source https://127.0.0.1:1/acme/lib.git",
  );
  expect(stderr).not.toContain("s3cr3t");
  expect(await fingerprint(pair.target)).toBe(before);
});

test("a dry run writes nothing for any source", async () => {
  await using pair = await buildPair([
    { files: libFiles, tags: ["v1.0.0"] },
    { files: { a: "1" } },
  ]);
  const before = await fingerprint(pair.target);
  const { code, stdout } = await migrate(pair.target, "add ../lib --dry-run");
  expect(code).toBe(0);
  expect(stdout).toContain("Migrate ");
  expect(await fingerprint(pair.target)).toBe(before);
});

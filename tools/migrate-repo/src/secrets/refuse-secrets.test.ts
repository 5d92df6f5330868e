import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  fingerprint,
  historyOnly,
  libFiles,
  migrate,
  shown,
} from "../migrate.test.kit.js";

/** A random value. The tests build tokens from it, so that none of our files holds a token. */
const DRAWN = "k7Qm2ZxT9vRb4LwY8cNs1HdP6fGj3KuE5aXoViBtCyMgDnWz";
const STRIPE = `sk_live_${DRAWN}`;

describe("credentials in any file or message of a history", () => {
  test("are refused with their place and first commit, and can be allowed", async () => {
    await using pair = await buildPair([
      { files: libFiles },
      // Git prints files in chunks of 64 KiB: this token is split between two.
      { files: { "data.txt": `${"x".repeat(65_480)}\n${STRIPE}\n` } },
      { files: { "src/config.js": `\nconst key = "${STRIPE}";\n` } },
      { files: { "src/config.js": `\n\nconst key = "${STRIPE}";\n` } },
      { message: `try ${STRIPE}`, remove: ["src/config.js", "data.txt"] },
    ]);
    gitIn(pair.source, "tag", "-a", "v1", "-m", "one", "-m", STRIPE, "main");
    const message = gitIn(pair.source, "rev-parse", "main").slice(0, 10);
    const before = await fingerprint(pair.target);
    const first = gitIn(
      pair.source,
      ...["log", "--format=%h", "--abbrev=10", "--diff-filter=A"],
      ...["--", "src/config.js", "data.txt"],
    )
      .trim()
      .split("\n");
    expect(await shown(pair.target, ["add", "../lib"]))
      .toBe(`3 stderr: migrate-repo: the source's history contains 4 credentials: data.txt:2 (Stripe key, commit ${first[1]}), src/config.js:2 (Stripe key, commit ${first[0]}), the message of a commit:1 (Stripe key, commit ${message}), the message of the tag v1:3 (Stripe key)
hint: revoke them first: everyone who can read the workspace could read them; then continue with --allow secrets
`);
    expect(await fingerprint(pair.target)).toBe(before);
    const { code, stdout } = await migrate(pair.target, [
      ...["add", "../lib", "--allow", "secrets", ...historyOnly],
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `the history contains 4 credentials, as you allowed: data.txt:2 (Stripe key, commit ${first[1]}), src/config.js:2`,
    );
    expect(stdout).not.toContain(DRAWN);
  });

  test("are merged by a sync only if they are allowed", async () => {
    await using pair = await buildPair([{ files: libFiles }]);
    await migrate(pair.target, ["add", "../lib", ...historyOnly]);
    await writeFile(join(pair.source, "a.txt"), "one\n");
    gitIn(pair.source, "add", "--all");
    gitIn(pair.source, "commit", "--quiet", `--message=use ${STRIPE}`);
    const id = gitIn(pair.source, "rev-parse", "main").slice(0, 10);
    const head = gitIn(pair.target, "rev-parse", "main");
    expect(await shown(pair.target, ["sync", "@acme/lib"]))
      .toBe(`3 stderr: migrate-repo: the source's history contains 1 credential: the message of a commit:1 (Stripe key, commit ${id})
hint: revoke them first: everyone who can read the workspace could read them; then continue with --allow secrets
`);
    expect(gitIn(pair.target, "rev-parse", "main")).toBe(head);
    const allowed = await migrate(pair.target, [
      ...["sync", "@acme/lib", "--allow-secrets"],
    ]);
    expect(allowed.code).toBe(0);
  });
});

describe("gitleaks, if it is installed", () => {
  /** Puts a program of that name before git's on the PATH. */
  const withProgram = async (dir: string, script: string) => {
    const bin = join(dir, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "gitleaks"), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, "gitleaks"), 0o755);
    return { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  };

  test("adds its findings", async () => {
    await using pair = await buildPair([{ files: libFiles }]);
    const env = await withProgram(
      pair.dir,
      `for arg; do case $arg in
  --report-path=*) echo '[{"RuleID":"generic-api-key","File":"index.js","StartLine":1,"Commit":"0123456789abcdef","Secret":"REDACTED"}]' > "\${arg#*=}";;
esac; done`,
    );
    expect(await shown(pair.target, ["add", "../lib"], { env }))
      .toBe(`3 stderr: migrate-repo: the source's history contains 1 credential: index.js:1 (gitleaks: generic-api-key, commit 0123456789)
hint: revoke them first: everyone who can read the workspace could read them; then continue with --allow secrets
`);
  });

  test("stops a migration if it fails", async () => {
    await using pair = await buildPair([{ files: libFiles }]);
    const env = await withProgram(pair.dir, "echo unknown flag >&2; exit 126");
    expect(await shown(pair.target, ["add", "../lib"], { env }))
      .toBe(`3 stderr: migrate-repo: gitleaks, which is on the PATH, failed: unknown flag
hint: see \`gitleaks detect --help\`; or take it off the PATH
`);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { gitIn as git } from "@skein/testing";

export { git };

/**
 * The environment for git: no user settings, one author, a fixed date, and no certificates that each start of Node
 * would read.
 */
export const gitEnv = {
  ...process.env,
  NODE_EXTRA_CA_CERTS: "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Bench",
  GIT_AUTHOR_EMAIL: "bench@example.com",
  GIT_COMMITTER_NAME: "Bench",
  GIT_COMMITTER_EMAIL: "bench@example.com",
};

/** Makes a folder a repository with one commit of all its files. */
export function commitAll(dir) {
  git(dir, "init", "--quiet", "--initial-branch=main");
  git(dir, "config", "user.name", "Bench");
  git(dir, "config", "user.email", "bench@example.com");
  git(dir, "add", "--all");
  git(dir, "commit", "--quiet", "--message", "The workspace");
}

const FILES = 400;
const pathOf = (file) =>
  `src/d${file % 20}/m${Math.floor(file / 20) % 5}/file${file}.ts`;
const contentOf = (file, version) =>
  Array.from(
    { length: 30 },
    (_, line) =>
      `export const f${file}_${line} = ${line === version % 30 ? version : line};\n`,
  ).join("");

const PLAIN = { "package.json": '{"name":"@acme/lib","version":"1.0.0"}\n' };

/**
 * Builds a repository with that many commits. It has 400 files, and each commit changes one to three of them. Every
 * tenth commit is a merge, and every 500th has a tag.
 * @param more files at its top, by name
 */
export async function makeSource(dir, commits, more = PLAIN) {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  git(dir, "init", "--quiet", "--initial-branch=main");
  const child = spawn("git", ["fast-import", "--quiet", "--force"], {
    cwd: dir,
    stdio: ["pipe", "inherit", "inherit"],
  });
  let seed = 42;
  const random = (below) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const file = (path, text) =>
    `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  for (let commit = 0; commit < commits; commit++) {
    const mark = commit + 1;
    const isSide = commit % 10 === 7 && commit > 20;
    const isMerge = commit % 10 === 8 && commit > 20;
    const who = `Dev ${commit % 40} <dev${commit % 40}@example.com> ${1500000000 + commit * 600} +0200`;
    const words = `feat: change number ${commit} (#${commit})\n\nWhy it was needed.\n`;
    let output = `commit refs/heads/${isSide ? "side" : "main"}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\ndata ${words.length}\n${words}`;
    if (isMerge) output += `from :${mark - 2}\nmerge :${mark - 1}\n`;
    else if (commit > 0) output += `from :${mark - 1}\n`;
    if (commit === 0) {
      for (const [name, text] of Object.entries(more))
        output += file(name, text);
      for (let each = 0; each < FILES; each++)
        output += file(pathOf(each), contentOf(each, 0));
    } else {
      for (let count = 1 + random(3); count > 0; count--) {
        const each = random(FILES);
        output += file(pathOf(each), contentOf(each, commit));
      }
    }
    if (commit % 500 === 499)
      output += `\ntag v1.0.${commit}\nfrom :${mark}\ntagger ${who}\ndata 4\nrel\n`;
    if (!child.stdin.write(`${output}\n`)) await once(child.stdin, "drain");
  }
  child.stdin.end();
  await once(child, "close");
  git(dir, "repack", "-adfq");
  git(dir, "reset", "--quiet", "--hard", "main");
}

// The demo's folder among the temporary ones, and functions that run commands there and check them.
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters, styleText } from "node:util";

export const folder = join(
  realpathSync(tmpdir()),
  `skein-demo-${userInfo().username.replaceAll(/\W/g, "_")}`,
);
const marker = join(folder, ".skein-demo");
const env = {
  ...withoutOuterProject(),
  // Each demo runs its scripts: no result of an earlier demo is replayed.
  SKEIN_CACHE_SIZE: "0",
  // The demo leaves nothing in the cache of the user's own Yarn, or outside of this folder.
  YARN_GLOBAL_FOLDER: join(folder, ".yarn-global"),
  TMPDIR: join(folder, ".tmp"),
};

/** Creates an empty folder. It removes the folder of an earlier demo, but no other folder of the same name. */
export function clearFolder() {
  if (existsSync(folder)) {
    // Another user of the machine may have created a folder of this name.
    const isOurs =
      process.getuid === undefined ||
      lstatSync(folder).uid === process.getuid();
    if (!isOurs || !existsSync(marker))
      fail(`${folder} is there and is not an earlier demo's; move it away`);
    rmSync(folder, { recursive: true });
  }
  mkdirSync(join(folder, ".tmp"), { recursive: true });
  writeFileSync(marker, "");
}

/** Writes a file. @param path in the demo's folder */
export function write(path, content) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Runs git without output. @returns its output, as bytes */
export function git(where, args, input = "") {
  try {
    return execFileSync("git", args, { cwd: join(folder, where), env, input });
  } catch (error) {
    return fail(`git ${args.join(" ")}: ${error.stderr ?? error.message}`);
  }
}

/** Creates a repository that ignores the user's configuration and hooks. */
export function initRepository(where) {
  mkdirSync(join(folder, where), { recursive: true });
  git(where, ["init", "--quiet", "--initial-branch=main"]);
  for (const [key, value] of Object.entries({
    "user.name": "Ada Okafor",
    "user.email": "ada@shop.example",
    "commit.gpgsign": "false",
    "core.hooksPath": join(folder, ".no-hooks"),
  }))
    git(where, ["config", key, value]);
}

/**
 * Prints a command as a person would type it, runs it in the application's folder, prints its output, and compares that
 * with the expected output.
 * @param words of the command line
 * @param expected exit code, and parts of the output that must or must not occur; `quiet` prints none of it, and `only`
 * prints the lines that match, after a mark for the others; `variables` are added to the environment
 */
export async function show(
  words,
  {
    status = 0,
    has = [],
    hasNot = [],
    exactly,
    quiet = false,
    only,
    variables = {},
  } = {},
) {
  const [command, ...args] = words.split(" ");
  console.log(bold(`$ ${words}`));
  // Both streams go to one file, which keeps the order of their lines.
  const log = join(folder, "output.log");
  const stream = openSync(log, "w");
  const ended = await new Promise((settle) => {
    spawn(command, args, {
      cwd: join(folder, "shop"),
      env: { ...env, ...variables },
      stdio: ["ignore", stream, stream],
      // On Windows yarn is a .cmd file, which only a shell can start.
      shell: process.platform === "win32",
    })
      .once("error", (error) => settle(`did not start: ${error.message}`))
      .once("close", (code) =>
        settle(code === status ? "" : `ended with ${code}, not with ${status}`),
      );
  });
  closeSync(stream);
  const output = readFileSync(log, "utf8");
  rmSync(log);
  const complain = (what) => {
    console.log(output);
    fail(`\`${words}\` ${what}`);
  };
  if (ended !== "") complain(ended);
  const text = stripVTControlCharacters(output);
  if (exactly !== undefined && text !== exactly)
    complain(`did not print ${JSON.stringify(exactly)}`);
  for (const part of has)
    if (!text.includes(part)) complain(`did not print ${part}`);
  for (const part of hasNot)
    if (text.includes(part)) complain(`printed ${part}`);
  const shown = only ? onlyLines(output, only) : output;
  if (quiet) console.log("(output omitted)\n");
  else
    console.log(shown.trim() === "" ? "(nothing)\n" : `${shown.trimEnd()}\n`);
}

function onlyLines(output, wanted) {
  const lines = output
    .split("\n")
    .filter((line) => wanted.test(stripVTControlCharacters(line)));
  return ["…", ...lines].join("\n");
}

export function heading(text) {
  console.log(`${bold(text)}\n${"-".repeat(text.length)}\n`);
}

export function say(text) {
  console.log(text);
}

export function fail(sentence) {
  console.error(`demo: ${sentence}`);
  process.exit(1);
}

function bold(text) {
  return process.stdout.isTTY ? styleText("bold", text) : text;
}

/**
 * Returns the environment without variables of a CI job or an outer Yarn, which refer to another repository: the
 * example is compared with its own main branch.
 */
function withoutOuterProject() {
  const outer =
    /^(GITHUB_|GIT_|CI$|npm_|INIT_CWD$|PROJECT_CWD$|YARN_ENABLE_IMMUTABLE_INSTALLS$)/;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !outer.test(name)),
  );
}

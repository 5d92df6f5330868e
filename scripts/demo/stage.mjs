// Where the demo plays: one folder of its own among the temporary ones, and commands that are really run and checked there.
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
  // Each demo runs its scripts: no result of an earlier one is replayed.
  SKEIN_CACHE_SIZE: "0",
  // Nothing is left in the cache of the user's own Yarn, nor beside this folder.
  YARN_GLOBAL_FOLDER: join(folder, ".yarn-global"),
  TMPDIR: join(folder, ".tmp"),
};

/** Begins with an empty folder. An earlier demo's goes; nobody else's is removed because it has the same name. */
export function clearFolder() {
  if (existsSync(folder)) {
    // Another user of the machine may have made a folder of this name.
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

/** @param path in the demo's folder */
export function write(path, content) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Runs git in silence. @returns its output, as bytes */
export function git(where, args, input = "") {
  try {
    return execFileSync("git", args, { cwd: join(folder, where), env, input });
  } catch (error) {
    return fail(`git ${args.join(" ")}: ${error.stderr ?? error.message}`);
  }
}

/** Makes a repository that nobody's configuration or hooks concern. */
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
 * Prints a command as a person would type it, runs it in the application's folder, prints what it said, and checks that against
 * what is expected.
 * @param words of the command line
 * @param expected exit code, and parts of the output that must or must not be there; `quiet` prints none of it, `only` the
 * lines that match, after a mark that others are left out
 */
export async function show(
  words,
  { status = 0, has = [], hasNot = [], exactly, quiet = false, only } = {},
) {
  const [command, ...args] = words.split(" ");
  console.log(bold(`$ ${words}`));
  // Both streams in one file: in the order in which they were written.
  const log = join(folder, "output.log");
  const stream = openSync(log, "w");
  const ended = await new Promise((settle) => {
    spawn(command, args, {
      cwd: join(folder, "shop"),
      env,
      stdio: ["ignore", stream, stream],
      // On Windows yarn is a .cmd file, which only a shell starts.
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
  if (quiet) console.log("(what it prints is left out)\n");
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

/** Without what a CI job or an outer Yarn says of another repository: the example is compared with its own main branch. */
function withoutOuterProject() {
  const outer =
    /^(GITHUB_|GIT_|CI$|npm_|INIT_CWD$|PROJECT_CWD$|YARN_ENABLE_IMMUTABLE_INSTALLS$)/;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !outer.test(name)),
  );
}

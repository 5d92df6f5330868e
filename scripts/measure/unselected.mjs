// Searches for packages that `affected list` should select: without Skein's scanners, and without declared dependencies.
//
// usage: node scripts/measure/unselected.mjs [--kinds=paths,names,externals] [--most=50] [--seed=1] CLONE…
//
// Each question begins with a line of a source that isn't a comment, in a folder of a package:
// - paths: it contains a relative path that leads to a file of another package. A change of that file must select this package.
// - names: it contains a quoted name of another package. A change of all files of that package must select this one.
// - externals: it imports an external package. Another version of it in yarn.lock must select this package.
//
// It prints each question whose answer lacks the package, and one line for each clone and kind. An answer may be right: the line
// may be text, or compare the name. It changes no file of the clones; it writes Skein's index, and commits that no branch has.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, normalize, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kinds: { type: "string", default: "paths,names,externals" },
    most: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
  },
});
const program = resolve(
  import.meta.dirname,
  "../../tools/affected/bin/affected.js",
);

const RELATIVE = /(?:\.\/)?(?:\.\.\/)+[\w@.\-/[\]()+]*/g;
const QUOTED = /["'`]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^"'`\s]*)?["'`]/g;
const IMPORTED =
  /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["']((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^"']*)?["']/g;
const COMMENT = /^\s*(?:\/\/|\*|\/\*|#|<!--)/;
const NO_SOURCE =
  /\.(?:lock|mdx?|snap|png|jpe?g|svg|html|map|csv|log|txt|patch)$|CODEOWNERS$|CHANGELOG|ignore$|(?:^|\/)(?:\.yarn\/|tsconfig[^/]*\.json$)/;
const PROGRAM = /\.[cm]?[jt]sx?$/;
/** Endings that a path may lack. */
const ENDINGS =
  " .js .ts .tsx .jsx .json .mjs .cjs .mts .vue .scss .css /index.ts /index.js /index.tsx /package.json".split(
    " ",
  );

/** Returns the files of a clone, its packages, and the lines of each package's sources. */
function readClone(clone) {
  const git = gitIn(clone);
  const files = git("ls-files", "-z").split("\0").filter(Boolean);
  const graph = run(
    clone,
    program,
    "graph",
    "--format=json",
    "--no-source-edges",
  );
  const packages = JSON.parse(graph.stdout).packages;
  const names = new Map(packages.map(({ dir, name }) => [dir, name]));
  const ownerOf = (path) => {
    for (let dir = dirname(path); dir !== "."; dir = dirname(dir))
      if (names.has(dir)) return names.get(dir);
    return undefined;
  };
  const lines = files.flatMap((file) => linesOf(clone, file, ownerOf(file)));
  return { clone, git, files, ownerOf, lines, names: new Set(names.values()) };
}

function linesOf(clone, file, owner) {
  const path = join(clone, file);
  const isRead =
    owner !== undefined &&
    !NO_SOURCE.test(file) &&
    existsSync(path) &&
    statSync(path).isFile() &&
    statSync(path).size < 500_000;
  if (!isRead) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.length < 2000 && !COMMENT.test(line))
    .map((line) => ({ file, owner, line }));
}

/** Asks the questions of a kind about a clone, and prints the packages that the answers lack. */
function ask(facts, kind) {
  const questions = QUESTIONS[kind](facts);
  const subjects = sample([...questions.keys()].toSorted());
  let [asked, missing] = [0, 0];
  for (const subject of subjects) {
    const selected = ANSWERS[kind](facts, subject);
    for (const [owner, { file, line }] of questions.get(subject)) {
      asked++;
      if (selected.has(owner)) continue;
      missing++;
      console.log(
        `  ${subject} | ${owner} | ${file} | ${line.trim().slice(0, 140)}`,
      );
    }
  }
  console.log(
    `${basename(facts.clone)}: ${kind}: ${asked} asked, about ${subjects.length} of ${questions.size}; ${missing} not selected`,
  );
}

/** By kind: the subjects that may change, with the packages that must then be selected, and a line of each. */
const QUESTIONS = {
  paths: ({ files, lines, ownerOf }) => {
    const known = new Set(files);
    return collect(lines, ({ file, owner, line }) =>
      (line.match(RELATIVE) ?? [])
        .map((path) => fileAt(known, join(dirname(file), path)))
        .filter((found) => found && (ownerOf(found) ?? owner) !== owner),
    );
  },
  names: ({ lines, names }) =>
    collect(lines, ({ owner, line }) =>
      [...line.matchAll(QUOTED)]
        .map(([, name]) => name)
        .filter(
          (name) =>
            names.has(name) &&
            name !== owner &&
            (name.startsWith("@") || /\b(?:from|import|require)\b/.test(line)),
        ),
    ),
  externals: ({ lines, names, git }) => {
    const lock = git("show", "HEAD:yarn.lock");
    return collect(lines, ({ file, line }) =>
      PROGRAM.test(file)
        ? [...line.matchAll(IMPORTED)]
            .map(([, name]) => name)
            .filter(
              (name) =>
                !names.has(name) && lock.includes(`resolution: "${name}@npm:`),
            )
        : [],
    );
  },
};

/** By kind: the packages that `list` selects after a change. */
const ANSWERS = {
  paths: ({ clone }, file) => listed(clone, [file]),
  names: ({ clone, files, ownerOf }, name) =>
    listed(
      clone,
      files.filter((file) => ownerOf(file) === name),
    ),
  externals: ({ clone, git }, name) => {
    const start = `resolution: "${name}@npm:`;
    const [first, ...rest] = git("show", "HEAD:yarn.lock").split(start);
    const other = rest.map((part) => part.replace(/^[^":]+/, "99.0.0"));
    const lock = [first, ...other].join(start);
    return selectedBy(
      clone,
      [],
      "--since=HEAD",
      `--head=${committed(git, lock)}`,
    );
  },
};

function collect(lines, subjectsIn) {
  const found = new Map();
  for (const each of lines)
    for (const subject of subjectsIn(each)) {
      const owners = found.get(subject) ?? new Map();
      found.set(subject, owners);
      if (!owners.has(each.owner)) owners.set(each.owner, each);
    }
  return found;
}

/** Returns the file to which a path leads, with an ending that it may lack, or `.ts` instead of `.js`. */
function fileAt(known, path) {
  const plain = normalize(path.replace(/\.+$/, ""));
  const typed = plain.replace(/\.([mc]?)jsx?$/, ".$1ts");
  return [plain, typed, `${typed}x`]
    .flatMap((each) => ENDINGS.map((ending) => each + ending))
    .find((each) => known.has(each));
}

/** Stores a commit after HEAD with another yarn.lock. */
function committed(git, lock) {
  const blob = git({ input: lock }, "hash-object", "-w", "--stdin").trim();
  const tree = git("ls-tree", "HEAD").replace(
    /^(100644 blob )\w+(?=\tyarn\.lock$)/m,
    `$1${blob}`,
  );
  const id = git({ input: tree }, "mktree", "--missing").trim();
  const author = [
    "-c",
    "user.name=skein",
    "-c",
    "user.email=skein@example.org",
  ];
  return git(
    ...author,
    "commit-tree",
    id,
    "-p",
    "HEAD",
    "-m",
    "yarn.lock",
  ).trim();
}

function listed(clone, files) {
  return selectedBy(clone, files, "--files-from=-", "--committed");
}

function selectedBy(clone, files, ...options) {
  const { stdout, stderr } = run(
    { cwd: clone, input: files.map((file) => `${file}\0`).join("") },
    program,
    "list",
    "--json",
    ...options,
  );
  if (!stdout.startsWith("{")) throw new Error(`${clone}: ${stderr}`);
  return new Set(JSON.parse(stdout).packages.map(({ name }) => name));
}

/** Runs a program of Node. */
function run(options, ...args) {
  const given = typeof options === "string" ? { cwd: options } : options;
  return spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    ...given,
  });
}

function gitIn(cwd) {
  return (...args) => {
    const [first, ...rest] = args;
    const [options, words] =
      typeof first === "object" ? [first, rest] : [{}, args];
    const { status, stdout, stderr } = spawnSync("git", words, {
      ...{ cwd, encoding: "utf8", maxBuffer: 2 ** 30, ...options },
    });
    if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
    return stdout;
  };
}

/** Returns at most `--most` of these, chosen by `--seed`. */
function sample(all) {
  let state = Number(values.seed);
  const random = () =>
    (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return all
    .map((each) => [random(), each])
    .toSorted(([a], [b]) => a - b)
    .slice(0, Number(values.most))
    .map(([, each]) => each);
}

for (const clone of positionals) {
  const facts = readClone(clone);
  for (const kind of values.kinds.split(",")) ask(facts, kind);
}

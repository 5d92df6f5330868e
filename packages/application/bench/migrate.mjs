// Migrates the same sources into the same workspace with Skein and with other tools, and compares the results.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureBatch } from "./migrate/batch.mjs";
import { CONTENDERS, INSTALLED, SKEIN, TOOLS } from "./migrate/contenders.mjs";
import { measureQuality } from "./migrate/quality.mjs";
import { git, gitEnv, makeSource } from "./migrate/sources.mjs";

const USAGE = `usage: yarn bench:migrate [options]
  --sizes 1000,10000,50000   commits of generated sources; "" for none
  --sources FOLDER,FOLDER    repositories of your own, beside them
  --tools "graft|filter"     only rows whose names match this regular expression
  --timeout 120              seconds for one migration; what takes longer is stopped
  --batch 30                 as many repositories of 1,000 commits by one command, too; needs yarn 2 or newer on PATH
  --deep 2000                logs and blame are compared in histories of up to so many commits
  --runs 1                   runs of each; the fastest counts
  --out FILE                 rewrites what stands between the two bench comments of a Markdown file
  --dir FOLDER               works there and keeps it (default: a temporary folder)
Needs GNU time as /usr/bin/time, npm for nx and lerna, and python3 to install git-filter-repo from PyPI.
`;
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,50000" },
    sources: { type: "string", default: "" },
    tools: { type: "string", default: "" },
    timeout: { type: "string", default: "120" },
    runs: { type: "string", default: "1" },
    batch: { type: "string" },
    deep: { type: "string", default: "2000" },
    out: { type: "string" },
    dir: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const chosen = CONTENDERS.filter(({ label }) =>
  new RegExp(values.tools).test(label),
);
if (values.help) process.stdout.write(USAGE);
else await bench();

async function bench() {
  const dir = resolve(
    values.dir ?? mkdtempSync(join(tmpdir(), "bench-migrate-")),
  );
  mkdirSync(dir, { recursive: true });
  const load = loadavg()[0].toFixed(1);
  await installSkein(dir);
  const filterRepo = installFilterRepo(dir);
  const missing = installTools(dir);
  const sections = [];
  for (const source of await sourcesIn(dir))
    sections.push(compare(dir, source, missing));
  const batch =
    values.batch === undefined
      ? []
      : [await measureBatch(dir, Number(values.batch))];
  const report = [
    `Made on ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC by \`yarn bench:migrate ${shownArguments()}\` on ${cpus().length} cores (${cpus()[0].model.trim()}), Node ${process.versions.node}, ${git(dir, "--version").trim()}, ${filterRepo}; load ${load} before and ${loadavg()[0].toFixed(1)} after. Least of ${values.runs}.`,
    ...sections,
    ...batch,
    "The commands, each in a fresh workspace of two files; `$WORK` is an empty folder:",
    chosen.map(({ label, shown }) => `- ${label}: \`${shown}\``).join("\n"),
  ].join("\n\n");
  process.stdout.write(`${report}\n`);
  if (values.out !== undefined) writeBlock(values.out, report);
  if (values.dir === undefined) rmSync(dir, { recursive: true, force: true });
}

/** Returns the arguments as a user would type them, without the folder of this run. */
function shownArguments() {
  const args = process.argv.slice(2);
  const at = args.indexOf("--dir");
  return args
    .filter((_, index) => at < 0 || index < at || index > at + 1)
    .join(" ");
}

async function sourcesIn(dir) {
  const sources = [];
  for (const size of values.sizes.split(",").filter(Boolean).map(Number)) {
    const path = join(dir, `source-${size}`);
    if (!existsSync(path)) await makeSource(path, size);
    sources.push({
      path,
      label: `${size.toLocaleString("en")} commits, generated`,
    });
  }
  for (const given of values.sources.split(",").filter(Boolean)) {
    const path = resolve(given);
    const count = Number(git(path, "rev-list", "--count", "HEAD"));
    sources.push({
      path,
      label: `${basename(path)}, ${count.toLocaleString("en")} commits`,
    });
  }
  return sources;
}

function compare(dir, { path, label }, missing) {
  const branch = git(path, "symbolic-ref", "--short", "HEAD").trim();
  const commits = Number(git(path, "rev-list", "--count", branch));
  const deep = commits <= Number(values.deep);
  const rows = chosen.map((contender) => {
    const without = missing.get(contender.needs);
    const runs = Array.from(
      { length: without === undefined ? Number(values.runs) : 1 },
      () =>
        without === undefined
          ? migrate(dir, path, branch, contender, deep)
          : { ...NOTHING, problem: `not installed: ${without}` },
    );
    const best = runs.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    process.stderr.write(
      `${label}: ${contender.label}: ${best.seconds.toFixed(2)} s ${best.problem ?? ""}\n`,
    );
    return { ...best, label: contender.label };
  });
  const percent = (part) =>
    part === undefined ? "–" : `${Math.round(part * 1000) / 10} %`;
  const number = (value, digits) =>
    Number.isNaN(value) ? "–" : value.toFixed(digits);
  const lines = rows.map(
    ({ label: name, seconds, cpu, peak, written, quality, problem }) =>
      [
        name,
        ...[seconds, cpu].map((each) => number(each, 2)),
        ...[peak, written].map((each) => number(each, 0)),
        ...(quality
          ? [
              percent(quality.reachable),
              percent(quality.logs),
              percent(quality.blame),
              quality.merges,
              quality.tags,
              quality.sameTip ? "yes" : "no",
            ]
          : [problem ?? "–", "", "", "", "", ""]),
      ].join(" | "),
  );
  return [
    `### ${label}\n`,
    "| | time, s | CPU, s | peak, MB | written, MB | commits reachable | logs as at home | blame as at home | merges | tags | same tip |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...lines.map((line) => `| ${line} |`),
  ].join("\n");
}

const NOTHING = { seconds: NaN, cpu: NaN, peak: NaN, written: NaN };

/**
 * Measures one migration into a fresh workspace. Memory is that of the largest process; writes are those of all
 * processes.
 */
function migrate(dir, source, branch, { label, argv }, deep) {
  const target = join(dir, "target");
  const work = join(dir, "work");
  const usage = join(dir, "usage");
  for (const each of [target, work])
    rmSync(each, { recursive: true, force: true });
  mkdirSync(work);
  makeTarget(dir, target);
  const words = argv.map((word) =>
    word === "$SRC" ? source : word === "$BRANCH" ? branch : word,
  );
  const { status, stderr } = spawnSync(
    "/usr/bin/time",
    [
      ...["--quiet", "--output", usage, "--format", "%e %U %S %M %O"],
      // `timeout` also stops processes that the command has started.
      ...["timeout", "--signal=KILL", values.timeout],
      ...words,
    ],
    {
      cwd: target,
      env: { ...gitEnv, SRC: source, BRANCH: branch, WORK: work, BENCH: dir },
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    },
  );
  const [seconds, user, system, kilobytes, blocks] = readFileSync(usage, "utf8")
    .trim()
    .split("\n")
    .at(-1)
    .split(" ")
    .map(Number);
  const sample = {
    seconds,
    cpu: user + system,
    peak: (kilobytes * 1024) / 1e6,
    written: (blocks * 512) / 1e6,
  };
  if (status !== 0)
    return {
      ...sample,
      problem:
        seconds >= Number(values.timeout)
          ? `stopped after ${values.timeout} s`
          : `failed: ${stderr.trim().split("\n").at(-1).slice(0, 80)}`,
    };
  if (label.startsWith("bare"))
    return { ...sample, problem: "nothing is migrated" };
  return { ...sample, quality: measureQuality(source, branch, target, deep) };
}

function makeTarget(dir, target) {
  const template = join(dir, "target-template");
  if (!existsSync(template)) {
    mkdirSync(join(template, "packages/app"), { recursive: true });
    writeFileSync(
      join(template, "package.json"),
      '{"name":"monorepo","private":true,"packageManager":"yarn@4.18.1","workspaces":["packages/*"]}\n',
    );
    writeFileSync(
      join(template, "packages/app/package.json"),
      '{"name":"@acme/app","version":"1.0.0"}\n',
    );
    git(template, "init", "--quiet", "--initial-branch=main");
    git(template, "config", "user.name", "Bench");
    git(template, "config", "user.email", "bench@example.com");
    git(template, "add", "--all");
    git(template, "commit", "--quiet", "--message", "The workspace");
  }
  cpSync(template, target, { recursive: true });
  // The files are newer than the index: without this, git would read each of them again.
  git(target, "status", "--porcelain");
}

/**
 * Builds the published form and puts it in a folder where its dependencies are found, so that the bench measures what
 * users start. It starts the tool once, because users have done so, too.
 */
async function installSkein(dir) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "../../../scripts/bundle-program.mjs")],
    { cwd: SKEIN, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  rmSync(INSTALLED, { recursive: true, force: true });
  for (const each of ["bin", "bundle", "package.json"])
    cpSync(join(SKEIN, each), join(INSTALLED, each), { recursive: true });
  const source = join(dir, "source-first");
  await makeSource(source, 30);
  const first = CONTENDERS.find(({ label }) => label.startsWith("Skein"));
  const { problem } = migrate(dir, source, "main", first, false);
  if (problem !== undefined) throw new Error(problem);
}

/** Installs the other tools. @returns why a tool is missing, by its name */
function installTools(dir) {
  const missing = new Map();
  for (const [name, range] of Object.entries(TOOLS)) {
    const folder = join(dir, name);
    if (existsSync(join(folder, "node_modules/.bin", name))) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private":true}\n');
    const { status, stderr, error } = spawnSync(
      "npm",
      ["install", "--no-audit", "--no-fund", range],
      { cwd: folder, encoding: "utf8", timeout: 300_000 },
    );
    if (status !== 0)
      missing.set(
        name,
        error?.message ?? stderr.trim().split("\n")[0] ?? "npm failed",
      );
  }
  return missing;
}

function installFilterRepo(dir) {
  const venv = join(dir, "venv");
  if (!existsSync(join(venv, "bin/git-filter-repo"))) {
    for (const argv of [
      ["python3", "-m", "venv", venv],
      [join(venv, "bin/pip"), "--quiet", "install", "git-filter-repo"],
    ]) {
      const { status, stderr } = spawnSync(argv[0], argv.slice(1), {
        encoding: "utf8",
      });
      if (status !== 0)
        return `without git-filter-repo (${stderr.trim().split("\n").at(-1)})`;
    }
  }
  const { stdout } = spawnSync(
    join(venv, "bin/pip"),
    ["list", "--format=freeze"],
    { encoding: "utf8" },
  );
  return /^git-filter-repo==.*$/m.exec(stdout)?.[0] ?? "git-filter-repo";
}

function writeBlock(file, report) {
  const text = readFileSync(file, "utf8");
  const [before, rest] = text.split("<!-- bench:begin -->");
  const after = rest?.split("<!-- bench:end -->")[1];
  if (after === undefined) throw new Error(`${file} has no bench comments`);
  writeFileSync(
    file,
    `${before}<!-- bench:begin -->\n\n${report}\n\n<!-- bench:end -->${after}`,
  );
}

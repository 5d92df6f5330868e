// Migrates the same sources into the same workspace with Skein and with other tools, and compares the results.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readMachine } from "../dist/bench/machine.js";
import { measure } from "../dist/bench/measure/measure.js";
import { BLOCK, openBlock } from "../dist/bench/report/document.js";
import { markdownTable } from "../dist/bench/report/markdown-table.js";
import { measureBatch } from "./migrate/batch.mjs";
import { CONTENDERS, INSTALLED, SKEIN, TOOLS } from "./migrate/contenders.mjs";
import { measureQuality } from "./migrate/quality.mjs";
import { commitAll, git, gitEnv, makeSource } from "./migrate/sources.mjs";

const USAGE = `usage: yarn bench:migrate [options]
  --sizes 1000,10000,50000   commits of generated sources; "" for none
  --sources FOLDER,FOLDER    repositories of your own, beside them
  --tools "graft|filter"     only rows whose names match this regular expression
  --timeout 120              seconds for one migration; longer ones are stopped
  --batch 30                 also migrates that many repositories of 1,000 commits with one command; needs Yarn 2 or newer on PATH
  --deep 2000                compares logs and blame only in histories of at most this length
  --runs 1                   runs of each; the fastest counts
  --out FILE                 replaces the text between the two bench comments of a Markdown file
  --dir FOLDER               works there and keeps it (default: a temporary folder)
Needs npm for nx and lerna, and python3 to install git-filter-repo from PyPI. GNU time as /usr/bin/time measures CPU, memory and writes.
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
  const document = values.out && (await openBlock(resolve(values.out), BLOCK));
  const { cores, cpu, node, git: gitVersion, load, date } = readMachine();
  await installSkein(dir);
  const filterRepo = installFilterRepo(dir);
  const missing = installTools(dir);
  const sections = [];
  for (const source of await sourcesIn(dir))
    sections.push(await compare(dir, source, missing));
  const batch =
    values.batch === undefined
      ? []
      : [await measureBatch(dir, Number(values.batch))];
  const report = [
    `Made on ${date} UTC by \`yarn bench:migrate ${shownArguments()}\` on ${cores} cores (${cpu}), Node ${node}, git ${gitVersion}, ${filterRepo}; load ${load[0].toFixed(1)} before and ${readMachine().load[0].toFixed(1)} after. Minimum of ${values.runs}.`,
    ...sections,
    ...batch,
    "The commands, each in a fresh workspace of two files; `$WORK` is an empty folder:",
    chosen.map(({ label, shown }) => `- ${label}: \`${shown}\``).join("\n"),
  ].join("\n\n");
  process.stdout.write(`${report}\n`);
  await document?.replace(report);
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

async function compare(dir, { path, label }, missing) {
  const branch = git(path, "symbolic-ref", "--short", "HEAD").trim();
  const commits = Number(git(path, "rev-list", "--count", branch));
  const deep = commits <= Number(values.deep);
  const rows = [];
  for (const contender of chosen) {
    const without = missing.get(contender.needs);
    const runs =
      without === undefined
        ? []
        : [{ ...NOTHING, problem: `not installed: ${without}` }];
    while (runs.length < (without === undefined ? Number(values.runs) : 1))
      runs.push(await migrate(dir, path, branch, contender, deep));
    const best = runs.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    process.stderr.write(
      `${label}: ${contender.label}: ${best.seconds.toFixed(2)} s ${best.problem ?? ""}\n`,
    );
    rows.push({ ...best, label: contender.label });
  }
  const percent = (part) =>
    part === undefined ? "–" : `${Math.round(part * 1000) / 10} %`;
  const number = (value, digits) =>
    value === undefined ? "–" : value.toFixed(digits);
  const table = markdownTable(
    "|time, s|CPU, s|peak, MB|written, MB|commits reachable|same logs|same blame|merges|tags|same tip".split(
      "|",
    ),
    rows.map(
      ({ label: name, seconds, cpu, peak, written, quality, problem }) => [
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
      ],
    ),
  );
  return `### ${label}\n\n${table.trim()}`;
}

const NOTHING = { seconds: Infinity };

/** Measures one migration into a fresh workspace. */
async function migrate(dir, source, branch, { label, argv }, deep) {
  const target = join(dir, "target");
  const work = join(dir, "work");
  for (const each of [target, work])
    rmSync(each, { recursive: true, force: true });
  mkdirSync(work);
  makeTarget(dir, target);
  const words = argv.map((word) =>
    word === "$SRC" ? source : word === "$BRANCH" ? branch : word,
  );
  const env = { SRC: source, BRANCH: branch, WORK: work, BENCH: dir };
  const { wallMs, cpuMs, peakMb, writtenMb, exitCode, stopped, stderr } =
    await measure(
      { cwd: target, argv: words, env: { ...gitEnv, ...env } },
      Number(values.timeout) * 1000,
    );
  const sample = {
    seconds: wallMs / 1000,
    cpu: cpuMs === undefined ? undefined : cpuMs / 1000,
    peak: peakMb,
    written: writtenMb,
  };
  if (exitCode !== 0)
    return {
      ...sample,
      problem: stopped
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
    commitAll(template);
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
    [join(import.meta.dirname, "../../../scripts/release/bundle-program.mjs")],
    { cwd: SKEIN, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  rmSync(INSTALLED, { recursive: true, force: true });
  for (const each of ["bin", "bundle", "package.json"])
    cpSync(join(SKEIN, each), join(INSTALLED, each), { recursive: true });
  const source = join(dir, "source-first");
  await makeSource(source, 30);
  const first = CONTENDERS.find(({ label }) => label.startsWith("Skein"));
  const { problem } = await migrate(dir, source, "main", first, false);
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

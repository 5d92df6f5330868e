// Adopts Skein in a clone of a workspace according to docs/adopt.md, and runs its pipeline with act on this machine. The run
// must be green for a change of one package, and red for the same change with a failing test.
// usage: yarn bench:adopt FOLDER PACKAGE   (FOLDER is a clone; it does not change)
// It needs act (`yarn test:e2e` builds it; ACT_PATH names another one), and the registries of the workspace.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startFakeGitHub } from "../../testing/dist/fake-github/fake-github.js";
import { yarnPath, yarnTestEnv } from "../../testing/dist/yarn.js";
import { runAct } from "../dist/e2e/act.js";
import { forkPull } from "../dist/e2e/fork-pull.js";
import { makeOrigin } from "../dist/e2e/packed-workspace.js";
import { startPackageRegistry } from "../dist/e2e/registry.js";
import { checkOut } from "../dist/e2e/shop.js";
import { packAll, skeinRoot } from "../dist/packed.js";
import { PUBLISHED } from "../dist/workflows/shown.js";

const { positionals } = parseArgs({
  options: {},
  allowPositionals: true,
});
const [from, name] = positionals;
if (from === undefined || name === undefined)
  throw new Error("usage: yarn bench:adopt FOLDER PACKAGE");
const folder = mkdtempSync(join(tmpdir(), "skein-adopt-"));
const work = join(folder, "workspace");
const git = (...args) =>
  execFileSync(
    "git",
    ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args],
    {
      cwd: work,
      encoding: "utf8",
    },
  ).trim();
const node = (...args) =>
  execFileSync(process.execPath, args, {
    cwd: work,
    encoding: "utf8",
    env: yarnTestEnv(),
    stdio: ["ignore", "pipe", "inherit"],
  });

const started = [];
try {
  execFileSync("git", ["clone", "--quiet", resolve(from), work]);
  git("checkout", "--quiet", "-B", "main");
  const tarballs = await packAll(join(folder, "tarballs"));
  const bin = join(skeinRoot, "tools/affected/bin/affected.js");
  const pin = "1".repeat(40);
  console.log(node(bin, "init", "--yes", "--no-compare", "--pin", pin));
  // The tools aren't on a registry at this version.
  const ranges = Object.fromEntries(
    tarballs.map((each) => [each.name, `file:${each.file}`]),
  );
  const manifest = JSON.parse(readFileSync(join(work, "package.json"), "utf8"));
  for (const tool of ["@skein/affected", "@skein/ci-dispatch"])
    manifest.devDependencies[tool] = ranges[tool];
  manifest.resolutions = { ...manifest.resolutions, ...ranges };
  writeFileSync(join(work, "package.json"), JSON.stringify(manifest, null, 2));
  node(yarnPath, "install");
  // act finds the called workflow by the name of its release, and Yarn beside it.
  for (const file of ["ci.yml", "skein.yml"]) {
    const path = join(work, ".github/workflows", file);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, "utf8").replaceAll(
      new RegExp(`@${pin} # v\\S+`, "g"),
      `@${PUBLISHED.split("@")[1]}`,
    );
    writeFileSync(path, text);
  }
  git("add", "--all");
  git("commit", "--quiet", "--no-verify", "--message=Adopt Skein");
  const base = git("rev-parse", "HEAD");
  const list = node(yarnPath, "workspaces", "list", "--json")
    .trim()
    .split("\n");
  const { location } = list
    .map((line) => JSON.parse(line))
    .find((each) => each.name === name);
  const path = join(work, location, "package.json");
  const change = (message, edit) => {
    const own = JSON.parse(readFileSync(path, "utf8"));
    edit(own);
    writeFileSync(path, `${JSON.stringify(own, null, 2)}\n`);
    git("commit", "--quiet", "--no-verify", "--all", `--message=${message}`);
    return git("rev-parse", "HEAD");
  };
  const green = change("A change", (own) => {
    own.description = `${own.description ?? ""} changed`;
  });
  const red = change("A red test", (own) => {
    own.scripts.test = `${own.scripts.test} && exit 1`;
  });
  const origin = makeOrigin(folder, work);
  const registry = await startPackageRegistry(tarballs);
  started.push(registry);
  for (const [word, head] of [
    ["green", green],
    ["red", red],
  ]) {
    const github = await startFakeGitHub();
    started.push(github);
    github.addRepository("octo/shop", { dir: origin });
    execFileSync("git", ["branch", "--force", "change", head], { cwd: origin });
    const room = join(folder, word);
    mkdirSync(room);
    await checkOut(origin, "change", join(room, "workspace"));
    const ended = await runAct({
      folder: room,
      workspace: join(room, "workspace"),
      origin,
      workflow: existsSync(join(work, ".github/workflows/skein.yml"))
        ? "skein.yml"
        : "ci.yml",
      event: "pull_request",
      payload: forkPull(base, head),
      artifacts: join(room, "artifacts"),
      registry: registry.url,
      env: { GITHUB_API_URL: github.url, GITHUB_REF: "refs/heads/change" },
    });
    writeFileSync(`skein-adopt-${word}.log`, ended.log);
    const shown = ended.log
      .split("\n")
      .filter((line) => /^\[verdict\].*\| (?:green|red|Where| {2})/.test(line));
    console.log(
      `${word}: act ended with ${ended.exitCode}; ${JSON.stringify(ended.jobs)}`,
    );
    for (const line of shown) console.log(line);
    if ((ended.exitCode === 0) !== (word === "green")) process.exitCode = 1;
  }
} finally {
  for (const server of started) await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}

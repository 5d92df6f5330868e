// Installs Skein from this checkout into a workspace, as long as it isn't on npm: builds and packs the tools, writes
// the tarballs to vendor/skein there, adds them to package.json (`file:` ranges), and runs `yarn install`.
// usage: node scripts/install-into.mjs WORKSPACE [affected|migrate-repo|ci-dispatch…]   (default: affected)
// To undo it: remove vendor/skein and the lines in package.json, and run `yarn install`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const TOOLS = ["affected", "migrate-repo", "ci-dispatch"];
const skein = fileURLToPath(new URL("..", import.meta.url));
const [workspace, ...asked] = process.argv.slice(2);
const tools = asked.length === 0 ? ["affected"] : asked;
const unknown = tools.filter((tool) => !TOOLS.includes(tool));
if (workspace === undefined || unknown.length > 0)
  fail(
    workspace === undefined
      ? "no workspace is named"
      : `there is no tool ${unknown.join(", ")}`,
    `node scripts/install-into.mjs ../my-workspace ${TOOLS.join(" ")}`,
  );

const file = join(workspace, "package.json");
const text = readPackage();
const manifest = JSON.parse(text);
if (manifest.workspaces === undefined)
  fail(`${file} has no workspaces`, "name the folder of the root package.json");

// Without Yarn, the last step would fail after package.json has changed.
run("yarn", ["--version"], workspace, ["ignore", "ignore", "inherit"]);

// ci-dispatch starts affected, and depends on a version of it.
const needed = tools.includes("ci-dispatch")
  ? [...new Set([...tools, "affected"])]
  : tools;
const folder = resolve(workspace, "vendor/skein");
mkdirSync(folder, { recursive: true });
console.log(`packing ${needed.join(", ")} into vendor/skein`);
run(
  process.execPath,
  [
    ...["scripts/bootstrap.mjs", "workspaces", "foreach", "--all"],
    ...needed.flatMap((tool) => ["--include", `@skein/${tool}`]),
    ...["pack", "--out", join(folder, "%s.tgz")],
  ],
  skein,
  // Yarn prints the name of every packed file.
  "pipe",
);
const ranges = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => /^@skein-.*\.tgz$/.test(name))
    .map((name) => [
      name.replace("@skein-", "@skein/").replace(".tgz", ""),
      `file:./vendor/skein/${name}`,
    ]),
);
manifest.devDependencies = { ...manifest.devDependencies, ...ranges };
if (tools.includes("ci-dispatch"))
  manifest.resolutions = {
    ...manifest.resolutions,
    "@skein/affected": ranges["@skein/affected"],
  };
const indent = /^(\s+)"/m.exec(text)?.[1] ?? "  ";
writeFileSync(file, `${JSON.stringify(manifest, null, indent)}\n`);
run("yarn", ["install", "--no-immutable"], workspace);
// Without the tarballs, `yarn install` fails in every other clone.
const packed = Object.values(ranges).map((range) => range.slice(7));
const { stdout } = spawnSync("git", ["check-ignore", "--", ...packed], {
  cwd: workspace,
  encoding: "utf8",
});
if (stdout)
  console.log(
    `\n.gitignore ignores the tarballs. Add them with: git add --force vendor/skein`,
  );
console.log(
  `\nInstalled. Commit package.json, yarn.lock and vendor/skein, and try: yarn affected list --table`,
);

function readPackage() {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return fail(
      `there is no ${file}`,
      "name the folder of the root package.json",
    );
  }
}

function run(program, args, cwd, stdio = "inherit") {
  const { status, error, output } = spawnSync(program, args, {
    cwd,
    stdio,
    // On Windows yarn is a .cmd file, which only a shell can start.
    shell: process.platform === "win32",
  });
  if (error?.code === "ENOENT")
    fail(`${program} isn't on your PATH`, "corepack enable");
  if (error) throw error;
  if (status !== 0) {
    if (stdio === "pipe") console.error(output.join(""));
    console.error(`install-into: this failed: ${[program, ...args].join(" ")}`);
    process.exit(status ?? 1);
  }
}

function fail(sentence, hint) {
  console.error(`install-into: ${sentence}\nhint: ${hint}`);
  process.exit(2);
}

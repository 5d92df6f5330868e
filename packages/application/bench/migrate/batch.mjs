import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure } from "../../dist/bench/measure/measure.js";
import { PROGRAM } from "./contenders.mjs";
import { commitAll, git, gitEnv, makeSource } from "./sources.mjs";

const COMMITS = 1000;
const HAVE = { ms: "2.1.3", picocolors: "1.1.1", nanoid: "3.3.11" };
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the files of one repository: a third of them has an npm lockfile, and a third has one of Yarn 1. */
function filesOf(index) {
  const dependencies = Object.fromEntries(
    Object.entries(HAVE)
      .slice(0, 2 + (index % 2))
      .map(([name, version]) => [name, `^${version}`]),
  );
  const had = Object.keys(dependencies).map((name) => [name, HAVE[name]]);
  const name = `@acme/lib${index}`;
  const locks = [
    {},
    {
      "package-lock.json": json({
        name,
        version: "1.0.0",
        lockfileVersion: 3,
        packages: {
          "": { name, version: "1.0.0", dependencies },
          ...Object.fromEntries(
            had.map(([each, version]) => [`node_modules/${each}`, { version }]),
          ),
        },
      }),
    },
    {
      "yarn.lock": `# yarn lockfile v1\n\n${had
        .map(
          ([each, version]) =>
            `\n${each}@^${version}:\n  version "${version}"\n`,
        )
        .join("")}`,
    },
  ];
  return {
    "package.json": json({ name, version: "1.0.0", dependencies }),
    ".gitignore": "node_modules\ndist\n",
    ...locks[index % 3],
  };
}

/**
 * Measures one command that migrates repositories of 1,000 commits each into one workspace, with clean-up, registration
 * and real installs.
 * @returns a paragraph of Markdown
 */
export async function measureBatch(dir, size) {
  const target = join(dir, "batch-target");
  const names = Array.from({ length: size }, (_, index) => `batch-${index}`);
  for (const [index, name] of names.entries()) {
    const path = join(dir, name);
    if (!existsSync(path)) await makeSource(path, COMMITS, filesOf(index));
  }
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, "packages/app"), { recursive: true });
  const files = {
    "package.json": json({
      name: "monorepo",
      private: true,
      packageManager: "yarn@4.18.1",
      workspaces: ["packages/*"],
    }),
    "packages/app/package.json": json({
      name: "@acme/app",
      dependencies: { ms: "^2.1.3" },
    }),
    ".yarnrc.yml": "nodeLinker: node-modules\nenableGlobalCache: true\n",
    ".gitignore": "node_modules\n.yarn\n",
    "migrations.json": json({
      version: 1,
      repositories: names.map((name) => ({ source: join(dir, name) })),
    }),
  };
  for (const [path, text] of Object.entries(files))
    writeFileSync(join(target, path), text);
  const install = spawnSync("yarn", ["install"], {
    cwd: target,
    encoding: "utf8",
  });
  if (install.status !== 0)
    throw new Error(`yarn install: ${install.error ?? install.stdout}`);
  commitAll(target);
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const { exitCode, stdout, stderr, wallMs, cpuMs, peakMb } = await measure(
    {
      cwd: target,
      argv: ["node", PROGRAM, "apply"],
      // Yarn queries a registry, perhaps through a proxy.
      env: { ...gitEnv, NODE_EXTRA_CA_CERTS },
    },
    60 * 60_000,
  );
  if (exitCode !== 0) throw new Error(`migrate-repo apply: ${stdout}${stderr}`);
  const seconds = (ms = NaN) => `${(ms / 1000).toFixed(1)} s`;
  const count = Number(git(target, "rev-list", "--count", "HEAD"));
  return `**A batch**: one \`migrate-repo apply\` for ${size} such repositories of ${COMMITS.toLocaleString("en")} commits. Each has two or three dependencies from the registry, and two of three have a lockfile; migrations.json contains only their addresses. Cleaning up, registering and installing them takes **${seconds(wallMs)}**, ${seconds(cpuMs)} of processor time, and ${Math.round(peakMb ?? NaN)} MB for the largest process; the workspace then has ${count.toLocaleString("en")} commits.`;
}

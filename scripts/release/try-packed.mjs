// Installs the packed tools into a new workspace, as a user would, and checks that each starts and that `affected` selects
// the right packages. The workspace's path contains spaces and non-ASCII letters.
// usage: node scripts/release/try-packed.mjs FOLDER npm|pnpm|yarn|yarn-pnp
// FOLDER contains the tarballs of `yarn pack`: %s.tgz. It needs the npm registry.
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The newest releases that run on Node 20. */
const PNPM = "pnpm@10.12.4";
const YARN = "@yarnpkg/cli-dist@4.18.1";

/** The commands with which each package manager installs, and runs a script or an installed program. */
const MANAGERS = {
  npm: {
    files: {},
    // A dependency that needs a newer Node would be a warning for each user.
    install: ["npm", "install", "--no-audit", "--no-fund", "--engine-strict"],
    script: ["npm", "run", "--silent"],
    run: ["npx", "--no-install"],
  },
  pnpm: {
    files: { "pnpm-workspace.yaml": 'packages: ["packages/*"]\n' },
    install: ["npx", "--yes", PNPM, "install"],
    script: ["npx", "--yes", PNPM, "--silent", "run"],
    run: ["npx", "--yes", PNPM, "exec"],
  },
  yarn: yarn("node-modules"),
  "yarn-pnp": yarn("pnp"),
};

const [folder, name] = process.argv.slice(2);
const manager = MANAGERS[name];
if (folder === undefined || manager === undefined) {
  console.error(
    `try-packed: a folder of tarballs and one of ${Object.keys(MANAGERS).join(", ")} are needed`,
  );
  process.exit(2);
}

const top = mkdtempSync(join(tmpdir(), "skein-try-packed-"));
try {
  const root = join(top, "Über uns", "my shop");
  for (const [path, text] of Object.entries(consumer())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const at = (program, ...args) => run(root, program, ...args);
  at(...manager.install);
  at("git", "init", "--quiet", "--initial-branch=main");
  at("git", "add", "--all");
  at(
    ...["git", "-c", "user.name=a", "-c", "user.email=a@shop.example"],
    ...["commit", "--quiet", "--message=first"],
  );
  writeFileSync(join(root, "packages/core/index.js"), "exports.one = 1.0;\n");
  expect(/^(\d+\.\d+\.\d+\n){3}$/, at(...manager.script, "versions"));
  expect(/^app\ncore\n$/, at(...manager.run, "affected", "list"));
  expect(/\b2 passed\b/, at(...manager.run, "affected", "test"));
  console.log(`${name}, Node ${process.versions.node}: the packed tools work`);
} finally {
  rmSync(top, { recursive: true });
}

/** Returns the files of a workspace in which app depends on core, and other has no dependencies. */
function consumer() {
  const tarballs = Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.startsWith("@skein-") && file.endsWith(".tgz"))
      .map((file) => [
        file.replace("@skein-", "@skein/").replace(".tgz", ""),
        `file:${resolve(folder, file)}`,
      ]),
  );
  const manifest = (own, dependencies) =>
    JSON.stringify({
      name: own,
      version: "1.0.0",
      scripts: { test: "node index.js" },
      dependencies,
    });
  const version = name === "npm" ? "1.0.0" : "workspace:^";
  return {
    ".gitignore": "node_modules\n.pnp.*\n.yarn\n",
    "package.json": JSON.stringify({
      name: "shop",
      private: true,
      workspaces: ["packages/*"],
      // One script, because a start of npm takes longer than a start of each tool.
      scripts: {
        versions:
          "affected --version && ci-dispatch --version && migrate-repo --version",
      },
      devDependencies: tarballs,
      // ci-dispatch depends on a version of affected that may not be on the registry yet.
      resolutions: tarballs,
      overrides: tarballs,
      pnpm: { overrides: tarballs },
    }),
    "packages/core/package.json": manifest("core"),
    "packages/core/index.js": "exports.one = 1;\n",
    "packages/app/package.json": manifest("app", { core: version }),
    "packages/app/index.js": 'require("core");\n',
    "packages/other/package.json": manifest("other"),
    "packages/other/index.js": "process.exitCode = 1;\n",
    ...manager.files,
  };
}

function yarn(linker) {
  const start = ["npx", "--yes", "--package", YARN, "--", "yarn"];
  return {
    files: {
      ".yarnrc.yml": `nodeLinker: ${linker}\nenableImmutableInstalls: false\n`,
      "yarn.lock": "",
    },
    install: [...start, "install"],
    script: [...start, "run"],
    run: [...start, "run"],
  };
}

/** Runs a program to its end. @returns both of its streams */
function run(cwd, program, ...args) {
  // The variables of an outer package manager or CI refer to another repository.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^(npm_|YARN_|GITHUB_|CI$|INIT_CWD$|PROJECT_CWD$)/.test(key),
    ),
  );
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...env, SKEIN_CACHE_SIZE: "0" },
    encoding: "utf8",
  });
  if (error) throw error;
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(" ")}: ${status}\n${stdout}${stderr}`,
    );
  return stdout.trim() === "" ? stderr : stdout;
}

function expect(pattern, text) {
  if (!pattern.test(text)) throw new Error(`${text} doesn't match ${pattern}`);
}

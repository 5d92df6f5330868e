// Runs Yarn's release file, which run-release.cjs starts more quickly. If only the version is asked, Yarn isn't loaded.
const { readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

const file = require.resolve("@yarnpkg/cli-dist/bin/yarn.js");
const { version } = require("@yarnpkg/cli-dist/package.json");

if (isOwnVersionAsked()) {
  console.log(version);
  return;
}

// The cache is beside the packages, because tests have their own folders for temporary files.
const cache = join(
  __dirname,
  "../../node_modules/.cache/skein-yarn",
  `${version}-node-${process.version}-${process.arch}-all`,
);
require("./run-release.cjs")(file, cache);

/**
 * Returns whether Yarn would print its own version: the only argument is `--version`, and no settings name another Yarn
 * (`yarnPath`), which Yarn would start.
 */
function isOwnVersionAsked() {
  const { argv, env } = process;
  if (argv.length !== 3 || argv[2] !== "--version") return false;
  if (env.YARN_YARN_PATH !== undefined || env.YARN_RC_FILENAME !== undefined)
    return false;
  for (let dir = process.cwd(); ; dir = dirname(dir)) {
    const settings = read(join(dir, ".yarnrc.yml"))?.toString() ?? "";
    const others = settings.replaceAll(`yarnPath: ${__filename}\n`, "");
    if (others.includes("yarnPath")) return false;
    if (dir === dirname(dir)) return true;
  }
}

function read(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

// Runs Yarn's release file from V8's compile cache: a start takes 0.4 s of CPU instead of 0.9 s, and the tests start Yarn
// hundreds of times. (Node 22 has module.enableCompileCache for this.) If only the version is asked, Yarn isn't loaded.
const {
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const vm = require("node:vm");

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
const cachedData = read(cache);
// V8 drops the compiled code of functions that haven't run for a while. The cache would lack Yarn's outermost function, which
// runs first: compiling it means reading all of Yarn's code, a third of a start.
if (cachedData === undefined) setFlagsFromString("--no-flush-bytecode");

const script = new vm.Script(
  Module.wrap(readFileSync(file, "utf8").replace(/^#!.*/, "")),
  {
    filename: file,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  },
);
// An install runs most of Yarn's code, so the cache contains most of it afterwards.
if (script.cachedDataRejected !== false && process.argv[2] === "install")
  process.once("exit", keep);

const yarn = new Module(file, null);
yarn.filename = file;
yarn.paths = Module._nodeModulePaths(dirname(file));
process.mainModule = yarn;
script.runInThisContext()(
  yarn.exports,
  Module.createRequire(file),
  yarn,
  file,
  dirname(file),
);

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

function keep() {
  const temporary = `${cache}.${process.pid}`;
  try {
    // A cache is only valid with the flags under which it was written.
    setFlagsFromString("--flush-bytecode");
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, cache);
  } catch {
    // The next start compiles it again.
  }
}

// Runs a release file of Yarn from V8's compile cache: a start takes 0.4 s of CPU instead of 0.9 s, and the tests start Yarn
// hundreds of times. (Node 22 has module.enableCompileCache for this.)
const {
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} = require("node:fs");
const Module = require("node:module");
const { dirname } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const vm = require("node:vm");

/**
 * Runs the release.
 * @param file its path
 * @param cache the path of its compiled code, which `yarn install` writes
 */
module.exports = function runRelease(file, cache) {
  // Yarn reads archives with WebAssembly. Optimising that code costs a tenth of a small install's CPU time.
  setFlagsFromString("--liftoff-only");
  const cachedData = read(cache);
  // V8 drops the compiled code of functions that haven't run for a while. The cache would lack Yarn's outermost function,
  // which runs first: compiling it means reading all of Yarn's code, a third of a start.
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
    process.once("exit", () => keep(script, cache));

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
};

function read(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function keep(script, cache) {
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

// Loads Jest's test files by Node's own loader, instead of Jest's copy of it (decision 112). A worker loads each module once
// for all of its test files. There are no mocks and no coverage.
const { AsyncLocalStorage } = require("node:async_hooks");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const v8 = require("node:v8");

// Most of the tests' code runs for seconds, so V8 compiles hot functions later. (Node 22 and later compile in smaller steps, and
// don't have this flag.) All cores are busy, so threads don't speed up the collection of garbage: they only cost CPU time.
if (process.versions.node.startsWith("20."))
  v8.setFlagsFromString("--interrupt-budget=2000000");
v8.setFlagsFromString("--no-parallel-scavenge");

/** The functions of the current test file (`test`, `expect`), which globals.cjs reads. */
const GLOBALS = Symbol.for("skein.jest.globals");
/** Jest keeps the listeners of a test file here. */
const HANDLERS = Symbol.for("EVENT_HANDLERS");

const globals = join(__dirname, "globals.cjs");
/**
 * Test files get `globals.cjs` when they import `@jest/globals`. Node caches modules by path, and takes the names of a CommonJS
 * module's exports from the cached module, which has them after its first import. (Hooks of Node's loader would run in a
 * thread: a process with hooks takes twice as long to load modules, and is 20 MB larger.)
 */
const replaced = import(pathToFileURL(globals).href).then(() => {
  require.cache[require.resolve("@jest/globals")] = require.cache[globals];
});
/** The number of times that this process has loaded each test file. */
const times = new Map();

/**
 * The storages that the current test file uses. Jest opens one for each test file and doesn't close it. On Node 20 and 22, each
 * promise then copies the values of all of them, so a worker would slow down with each file.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return Reflect.apply(run, this, args);
};

module.exports = class NativeRuntime {
  /** Loads the part of Jest that runs a test file. It keeps the state of one file, so each file has its own. */
  requireInternalModule(path) {
    delete globalThis[HANDLERS];
    delete require.cache[path];
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    globalThis[GLOBALS] = globals;
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await replaced;
    const time = times.get(path) ?? 0;
    times.set(path, time + 1);
    // A file that is tested again has to declare its tests again.
    await import(`${pathToFileURL(path).href}${time === 0 ? "" : `?${time}`}`);
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}

  teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
  }
};

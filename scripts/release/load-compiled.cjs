"use strict";
const fs = require("node:fs");
const module_ = require("node:module");
const { dirname } = require("node:path");
const vm = require("node:vm");

/** The maximum duration of a run whose compiled code is kept for other commands, in seconds. */
const SHORT = 3;

/** The commands of the first file, and its module. */
let first;

/**
 * Loads a CommonJS file, in compiled form if possible. Compiling takes a third of the time of `affected list` after Node's
 * own start. Node 22 and later cache compiled code themselves. For Node 20, the cache is beside the file: anyone who can
 * write there could change the program itself. V8 accepts compiled code from the same version of V8 for a source of the
 * same length. To show that it is the same source, the cache begins with a copy of it: comparing both takes less time than
 * loading a checksum function.
 *
 * The cache contains the functions that one command compiled, so each command in `words` has a cache of its own. All
 * other commands share one, which is written if the program's export `isWorth` returns true at the end.
 * @param words commands. Default: those of the first file that was loaded
 */
module.exports = function load(file, words = first?.words ?? []) {
  if (module_.enableCompileCache) {
    module_.enableCompileCache();
    return require(file);
  }
  const [, , word] = process.argv;
  const isAsked = words.includes(word);
  const kept = `${file}.v8-${process.versions.v8}-${process.arch}-${isAsked ? word : "others"}`;
  const source = fs.readFileSync(file);
  const bytes = readIfThere(kept);
  const cachedData = bytes?.subarray(0, source.length).equals(source)
    ? bytes.subarray(source.length)
    : undefined;
  // V8 drops the code of functions that haven't run for a while, first of all that of the outermost one. Compiling it again means
  // reading the whole file.
  if (!cachedData) v8Flags("--no-flush-bytecode");
  const script = new vm.Script(module_.wrap(source.toString("utf8")), {
    filename: file,
    cachedData,
  });
  const loaded = { exports: {} };
  first ??= { words, loaded };
  if (!cachedData || script.cachedDataRejected)
    process.once("exit", () => {
      // A cache is only valid with the flags under which it was written.
      v8Flags("--flush-bytecode");
      const isOther = first.loaded.exports.isWorth?.();
      // A long run has compiled much that a short one doesn't need.
      if (isAsked || (isOther && process.uptime() < SHORT))
        keep(kept, [source, script.createCachedData()]);
    });
  script.runInThisContext()(
    loaded.exports,
    module_.createRequire(file),
    loaded,
    file,
    dirname(file),
  );
  return loaded.exports;
};

/** Sets a flag. `v8` is loaded only then, because most starts don't need it. */
function v8Flags(flag) {
  require("node:v8").setFlagsFromString(flag);
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Writes the cache. If that fails (another user's folder, an archive of PnP), the next start compiles again. */
function keep(file, parts) {
  const temporary = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, Buffer.concat(parts), { flag: "wx" });
    fs.renameSync(temporary, file);
  } catch {
    try {
      fs.rmSync(temporary, { force: true });
    } catch {
      return;
    }
  }
}

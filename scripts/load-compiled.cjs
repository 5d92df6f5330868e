"use strict";
const fs = require("node:fs");
const module_ = require("node:module");
const { dirname } = require("node:path");
const vm = require("node:vm");

/** Seconds. */
const SHORT = 3;
let firstWords = [];

/**
 * Loads a CommonJS file, compiled before where it can be: compiling is a third of what `affected list` takes beyond
 * Node's own start. Node 22 and later keep compiled code by themselves. For Node 20 it is kept beside the file: whoever
 * can write there can write the program itself. V8 takes only what the same V8 made, of a source of the same length: that
 * it is the same source, the copy before it says, which is compared in less time than any checksum takes to load.
 * @param words commands after which it is worth keeping: it then holds the functions that people wait for. Each has a copy
 *   of its own. Default: those of the file that was loaded first
 * @param isWorth tells at the end whether it is worth keeping after another command. All those share a copy. Default: what
 *   the loaded program exports under this name
 */
module.exports = function load(file, words = firstWords, isWorth) {
  if (module_.enableCompileCache) {
    module_.enableCompileCache();
    return require(file);
  }
  firstWords = words;
  const [, , word] = process.argv;
  const isAsked = words.includes(word);
  const kept = `${file}.v8-${process.versions.v8}-${process.arch}-${isAsked ? word : "others"}`;
  const source = fs.readFileSync(file);
  const bytes = readIfThere(kept);
  const cachedData = bytes?.subarray(0, source.length).equals(source)
    ? bytes.subarray(source.length)
    : undefined;
  const script = new vm.Script(module_.wrap(source.toString("utf8")), {
    filename: file,
    cachedData,
  });
  const loaded = { exports: {} };
  if (!cachedData || script.cachedDataRejected)
    process.once("exit", () => {
      const isOther = (isWorth ?? loaded.exports.isWorth)?.();
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

function readIfThere(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** If the file can't be written (another user's folder, an archive of PnP), the next start compiles again. */
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

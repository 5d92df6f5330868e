"use strict";
const fs = require("node:fs");
const module_ = require("node:module");
const { dirname } = require("node:path");
const vm = require("node:vm");

/**
 * Loads a CommonJS file, from a compile cache if possible. Compiling takes a third of the time of `affected list`, beyond
 * Node's own start. Node 22 and later cache compiled code themselves. For Node 20, the cache is beside the file: anyone who
 * can write there could change the program itself. V8 accepts only code from the same V8 version and a source of the same
 * length. So the cache starts with a copy of the source, because comparing that takes less time than loading any checksum.
 * @param words commands after which the code is cached, because it then contains the functions that people wait for
 */
module.exports = function load(file, words) {
  if (module_.enableCompileCache) {
    module_.enableCompileCache();
    return require(file);
  }
  const kept = `${file}.v8-${process.versions.v8}-${process.arch}`;
  const source = fs.readFileSync(file);
  const bytes = readIfThere(kept);
  const cachedData = bytes?.subarray(0, source.length).equals(source)
    ? bytes.subarray(source.length)
    : undefined;
  const script = new vm.Script(module_.wrap(source.toString("utf8")), {
    filename: file,
    cachedData,
  });
  const isMissing = !cachedData || script.cachedDataRejected;
  if (isMissing && words.includes(process.argv[2]))
    process.once("exit", () => keep(kept, [source, script.createCachedData()]));
  const loaded = { exports: {} };
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

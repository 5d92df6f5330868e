#!/usr/bin/env node
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const v8 = require("node:v8");

// These flags are set before anything is loaded, because V8 rejects code that was cached under other flags.

// A batch runs long and keeps many histories in memory. With V8's defaults, it takes a fifth less CPU (measured on 30
// repositories) and hardly more memory. Its code isn't cached, because V8 would reject code from other flags in both
// directions.
if (process.argv[2] !== "apply") {
  // A migration creates millions of short-lived strings. A small young generation makes the process a third smaller and takes
  // no more time (measured on 50,000 commits). V8 reads the flag each time the young generation would grow.
  v8.setFlagsFromString("--semi-space-growth-factor=1");

  // V8 recompiles hot functions, which takes long, and most of a migration is over by then. With forty times the budget, the
  // process is 9 MB smaller with 10,000 commits and takes no more time, even with 50,000. Node 22 and later compile in
  // smaller steps, and don't have this flag.
  if (process.versions.node.startsWith("20."))
    v8.setFlagsFromString("--interrupt-budget=5000000");
}

// tsc made the modules of a checkout; the published package contains them as one bundle (scripts/release/bundle-program.mjs). A
// checkout has a bundle, too, which isn't current while someone changes the modules.
const dist = join(__dirname, "../dist/main.js");
const isBundled =
  !existsSync(dist) ||
  require("../../../scripts/release/bundle-is-current.cjs")(
    "tools/migrate-repo",
  );
/**
 * Settles when the program has ended and its exit code is set. Yarn's plugin relies on this, because it runs the program in
 * its own process.
 */
module.exports = !isBundled
  ? import(pathToFileURL(dist).href).then(
      ({ finished }) => finished,
      (error) => {
        // The program itself prints the message for these errors after it is loaded.
        if (!/^E[MN]FILE$/.test(error.code)) throw error;
        process.stderr.write(
          "migrate-repo: this process may open too few files\nhint: raise the limit: ulimit -n 1024\n",
        );
        process.exitCode = 3;
      },
    )
  : require("../bundle/load-compiled.cjs")(
      join(__dirname, "../bundle/main.cjs"),
      ["add", "plan", "sync"],
    ).finished;

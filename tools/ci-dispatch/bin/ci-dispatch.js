#!/usr/bin/env node
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const v8 = require("node:v8");

// Node 20 recompiles hot functions together with everything that they call. A program that ends within seconds doesn't
// benefit from that: without it, a report on six weeks takes a fifth less CPU. (Node 22 compiles in smaller steps, where it
// makes no difference.) The flag is set before anything is loaded, because V8 rejects code that was cached under other flags.
if (process.versions.node.startsWith("20."))
  v8.setFlagsFromString("--max-inlined-bytecode-size-cumulative=0");

// tsc made the modules of a checkout; the published package contains them as one bundle (scripts/release/bundle-program.mjs). A
// checkout has a bundle, too, which isn't current while someone changes the modules.
const dist = join(__dirname, "../dist/main.js");
const isBundled =
  !existsSync(dist) ||
  require("../../../scripts/release/bundle-is-current.cjs")(
    "tools/ci-dispatch",
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
          "ci-dispatch: this process may open too few files\nhint: raise the limit: ulimit -n 1024\n",
        );
        process.exitCode = 3;
      },
    )
  : require("../bundle/load-compiled.cjs")(
      join(__dirname, "../bundle/main.cjs"),
      ["plan", "metrics"],
    ).finished;

#!/usr/bin/env node
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const v8 = require("node:v8");

// Node 20 compiles hot functions anew with all that they call in them. What has ended within seconds pays more for it than it
// saves: a report on six weeks takes a fifth less CPU without. (Node 22 compiles in smaller steps; there it makes no difference.)
// Set before anything is loaded: code that was kept under other settings is refused.
if (process.versions.node.startsWith("20."))
  v8.setFlagsFromString("--max-inlined-bytecode-size-cumulative=0");

// A checkout has what tsc made; the published package has the same, joined into one file (scripts/bundle-program.mjs).
const dist = join(__dirname, "../dist/main.js");
/** Settles when the program has ended and its exit code is set: Yarn's plugin runs it in its own process. */
module.exports = existsSync(dist)
  ? import(pathToFileURL(dist).href).then(
      ({ finished }) => finished,
      (error) => {
        // The program itself puts words to it, once it is loaded.
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

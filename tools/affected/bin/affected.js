#!/usr/bin/env node
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

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
          "affected: this process may open too few files\nhint: raise the limit: ulimit -n 1024\n",
        );
        process.exitCode = 3;
      },
    )
  : require("../bundle/load-compiled.cjs")(
      join(__dirname, "../bundle/main.cjs"),
      ["list"],
    ).finished;

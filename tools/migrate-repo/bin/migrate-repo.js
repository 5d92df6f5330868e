#!/usr/bin/env node
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const v8 = require("node:v8");

// Set before anything is loaded: code that was kept under other settings is refused.

// A batch runs long, and has many histories in its hands: there V8 as it is takes a fifth less processor time (measured on 30
// repositories) and hardly more memory. Its code is not kept, then: it would be refused to all others, as theirs is to it.
if (process.argv[2] !== "apply") {
  // Millions of short-lived strings pass through: a nursery that stays small keeps the process a third smaller and costs
  // no time (measured on 50,000 commits). The flag is read each time the nursery would grow.
  v8.setFlagsFromString("--semi-space-growth-factor=1");

  // V8 compiles again, at length, what has run a while. Most of a migration is over by then: it waits forty times as long, which
  // keeps the process 9 MB smaller with 10,000 commits and costs no time, with 50,000 neither. Node 22 and later compile in
  // smaller steps, and know no such flag.
  if (process.versions.node.startsWith("20."))
    v8.setFlagsFromString("--interrupt-budget=5000000");
}

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
          "migrate-repo: this process may open too few files\nhint: raise the limit: ulimit -n 1024\n",
        );
        process.exitCode = 3;
      },
    )
  : require("../bundle/load-compiled.cjs")(
      join(__dirname, "../bundle/main.cjs"),
      ["add", "plan", "sync"],
    ).finished;

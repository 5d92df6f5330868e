#!/usr/bin/env node
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

// A checkout has what tsc made; the published package has the same, joined into one file (scripts/bundle-program.mjs).
const dist = join(__dirname, "../dist/main.js");
if (existsSync(dist)) void import(pathToFileURL(dist).href);
else
  require("../bundle/load-compiled.cjs")(
    join(__dirname, "../bundle/main.cjs"),
    ["plan", "metrics"],
  );

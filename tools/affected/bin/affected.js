#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";

// Node 22 and later keep compiled code between runs; Node 20 has no such thing.
module.enableCompileCache?.();
// A checkout has what tsc made; the published package has the same, joined into one file (scripts/bundle.mjs).
const dist = new URL("../dist/main.js", import.meta.url);
await import(existsSync(dist) ? dist.href : "../bundle/main.js");

#!/usr/bin/env node
import { existsSync } from "node:fs";

// A checkout has what tsc made; the published package has the same, joined into one file (scripts/bundle-program.mjs).
const dist = new URL("../dist/main.js", import.meta.url);
const { finished } = await import(
  existsSync(dist) ? dist.href : "../bundle/main.cjs"
);
// Yarn's plugin runs it in its own process, and goes on when the exit code is set.
await finished;

// Removes compiled files whose source was deleted. Otherwise a deleted test would leave its .js behind, which would
// still run.
// usage: node scripts/clean.mjs [--all]   (--all: everything that the build and the tests wrote)
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

const all = process.argv.includes("--all");

for (const folder of ["packages", "tools"]) {
  for (const name of readdirSync(folder)) {
    const home = join(folder, name);
    const dist = join(home, "dist");
    if (all) rmSync(join(home, "bundle"), { recursive: true, force: true });
    if (all || !existsSync(join(home, "src"))) {
      rmSync(dist, { recursive: true, force: true });
    } else if (existsSync(dist)) {
      for (const file of compiledFiles(dist)) {
        const source = join(home, "src", relative(dist, file));
        const origin = source.replace(/(\.d)?\.(js|ts)(\.map)?$/, ".ts");
        if (!existsSync(origin)) rmSync(file);
      }
    }
  }
}
// Reports of an earlier run must not count for this one.
rmSync("reports", { recursive: true, force: true });
mkdirSync("reports");

function compiledFiles(dist) {
  return readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(js|d\.ts)(\.map)?$/.test(path))
    .map((path) => join(dist, path));
}

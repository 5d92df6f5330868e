"use strict";
const { readdirSync, statSync } = require("node:fs");
const { join } = require("node:path");

const top = join(__dirname, "../..");

/**
 * Returns whether the bundle of a tool in this checkout is newer than everything that it is made of: the modules that tsc made
 * (it writes `.tsbuildinfo` after them), the installed dependencies, and the scripts that join them.
 * @param {string} tool the tool's folder, such as `tools/affected`
 */
module.exports = function bundleIsCurrent(tool) {
  // bundle-program.mjs writes this file last.
  const made = changed(join(top, tool, "bundle/sbom.cdx.json"));
  const packages = readdirSync(join(top, "packages"));
  const origins = [
    ...[tool, ...packages.map((name) => `packages/${name}`)].map(
      (folder) => `${folder}/dist/.tsbuildinfo`,
    ),
    ...readdirSync(__dirname).map((name) => `scripts/release/${name}`),
    `${tool}/package.json`,
    "yarn.lock",
  ];
  return (
    made !== undefined &&
    origins.every((file) => (changed(join(top, file)) ?? 0) <= made)
  );
};

/** Returns the time of a file's last change in milliseconds, or undefined without the file. */
function changed(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

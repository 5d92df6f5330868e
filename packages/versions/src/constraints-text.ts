import { COMPARABLE } from "./ranges.js";
import { RANGE } from "./policy.js";

/** The file with the policy as Yarn constraints. It belongs to the project, and runs without Skein. */
export const POLICY_FILE = "one-version.cjs";

/** The file in which Yarn looks for constraints. */
export const CONFIG_FILE = "yarn.config.cjs";

/** The new `yarn.config.cjs` of a project that has none. */
export const CONFIG_TEXT = `// Checked by \`yarn constraints\`; \`yarn constraints --fix\` fixes what it can.
const { oneVersion } = require("./${POLICY_FILE}");

module.exports = {
  async constraints({ Yarn }) {
    oneVersion({ Yarn });
  },
};
`;

/** The text to add to an existing `yarn.config.cjs`. */
export const LINES_TO_ADD = [
  `const { oneVersion } = require("./${POLICY_FILE}");`,
  "oneVersion({ Yarn }); // first in constraints({ Yarn })",
] as const;

/** The rules of `findViolations` in plain JavaScript; a test compares the two. */
export const POLICY_TEXT = `// One version of each external dependency in the whole workspace, as Yarn constraints. Written by
// \`migrate-repo versions align\`; it is yours from now on.
//
// The version is that of the default catalog, or else the newest range in use. A named catalog (\`catalog:name\`) is
// deliberately another version. skein.json lists exceptions: {"migrate": {"ownVersions": {"@acme/old": ["react"]}}}.
// Ranges that aren't semver, and peers, are ignored. \`catalog:\` in a peer is replaced, because it would be packed as \`*\`.
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const read = (name) => {
  const file = join(__dirname, name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
};

/** Catalog name ("" for the default one) -> dependency -> range, of .yarnrc.yml. */
function readCatalogs() {
  const catalogs = { "": {} };
  let section, current;
  for (const line of (read(".yarnrc.yml") ?? "").split(/\\r?\\n/)) {
    if (/^\\s*(#|$)/.test(line)) continue;
    const [, indent, rawKey, rawValue] =
      /^( *)("[^"]*"|'[^']*'|[^\\s:'"][^:]*):\\s*(.*?)\\s*$/.exec(line) ?? [];
    if (rawKey === undefined) continue;
    const [key, value] = [rawKey, rawValue].map((text) => text.replace(/^(["'])(.*)\\1$/, "$2"));
    if (indent === "") {
      section = key;
      current = key === "catalog" ? catalogs[""] : undefined;
    } else if (section === "catalogs" && value === "") {
      current = catalogs[key] = {};
    } else if (current) current[key] = value;
  }
  return catalogs;
}

const COMPARABLE = /${COMPARABLE.source}/;
const RANGE = /${RANGE.source}/;
const bare = (range) => range.replace(/^npm:/, "");

/** Returns the lowest version of a comparable range: its three numbers, and its prerelease in parts. */
function lowest(range) {
  const [version, prerelease] = bare(range).replace(/^[~^]?v?/, "").replace(/\\+.*$/, "").split(/-(.*)/s);
  const numbers = version.split(".").map((part) => Number(part) || 0);
  return { numbers: [...numbers, 0, 0].slice(0, 3), prerelease: prerelease?.split(".") };
}

/** By semver's order: https://semver.org/#spec-item-11 */
function compare(one, other) {
  const [a, b] = [lowest(one), lowest(other)];
  for (const index of [0, 1, 2])
    if (a.numbers[index] !== b.numbers[index]) return a.numbers[index] - b.numbers[index];
  if (!a.prerelease || !b.prerelease) return Number(!a.prerelease) - Number(!b.prerelease);
  for (let index = 0; ; index++) {
    const [x, y] = [a.prerelease[index], b.prerelease[index]];
    if (x === undefined || y === undefined) return Number(x !== undefined) - Number(y !== undefined);
    if (x === y) continue;
    const [p, q] = [x, y].map((part) => /^\\d+$/.test(part));
    if (p && q) return Number(x) - Number(y);
    return p !== q ? Number(q) - Number(p) : x > y ? 1 : -1;
  }
}

const freedom = (range) => ({ "^": 2, "~": 1 })[bare(range)[0]] ?? 0;
const isNewer = (one, other) =>
  (compare(one, other) || freedom(one) - freedom(other) || (one > other ? 1 : -1)) > 0;

exports.oneVersion = function oneVersion({ Yarn }) {
  const catalogs = readCatalogs();
  const exceptions = Object.entries(JSON.parse(read("skein.json") ?? "{}").migrate?.ownVersions ?? {}).map(
    ([glob, idents]) => [
      new RegExp(\`^\${glob.split("*").map((part) => part.replace(/[\\\\^$.|?+()[\\]{}]/g, "\\\\$&")).join(".*")}$\`),
      idents,
    ],
  );
  const isException = ({ workspace, ident }) =>
    exceptions.some(([name, idents]) => idents.includes(ident) && name.test(workspace.ident));
  const workspaces = new Set(Yarn.workspaces().map(({ ident }) => ident));
  const dependencies = Yarn.dependencies().filter(({ ident }) => !workspaces.has(ident));
  const wanted = new Map();
  for (const dependency of dependencies) {
    const { ident, range, type } = dependency;
    if (type === "peerDependencies" || isException(dependency)) continue;
    if (catalogs[""][ident] !== undefined) wanted.set(ident, "catalog:");
    else if (COMPARABLE.test(range) && (!wanted.has(ident) || isNewer(range, wanted.get(ident)))) wanted.set(ident, range);
  }
  for (const dependency of dependencies) {
    const { ident, range, type } = dependency;
    if (type === "peerDependencies") {
      if (!range.startsWith("catalog:")) continue;
      const name = range.slice("catalog:".length).replace(/^default$/, "");
      const meaning = catalogs[name]?.[ident];
      if (meaning !== undefined) dependency.update(meaning);
    } else if (wanted.has(ident) && RANGE.test(range) && !isException(dependency)) {
      dependency.update(wanted.get(ident));
    }
  }
};
`;

// `node lockfile.js LINES`: reads and compares a yarn.lock of that many lines, and the same one with one version
// bumped, in a fresh process, as in a first run. Prints the times as JSON.
import { compareLockfiles, type Project, readProject } from "@skein/workspaces";

const WORKSPACES = 200;
/** The lines of an entry with ten dependencies, including the empty line after it. */
const WORKSPACE_LINES = 17;

const before = lockfile(Number(process.argv[2]));
const after = before
  .replace(
    'lib0@npm:^1.0.0":\n  version: 1.0.0',
    'lib0@npm:^1.0.0":\n  version: 1.0.1',
  )
  .replace("lib0@npm:1.0.0", "lib0@npm:1.0.1");

const start = performance.now();
const head = await project(after);
const base = await project(before, head);
const parsed = performance.now();
if (!base?.lock || !head?.lock) throw new Error("there is a yarn.lock");
const changed = compareLockfiles(
  base.lock,
  head.lock,
  head.packages,
).workspaces;
const compared = performance.now();
process.stdout.write(
  JSON.stringify({
    lines: linesOf(before),
    entries: head.lock.lockfile.entries.length,
    workspaces: WORKSPACES,
    changed: changed.size,
    readMs: parsed - start,
    compareMs: compared - parsed,
  }),
);

function project(text: string, sibling?: Project) {
  const files = new Map([
    ["package.json", '{ "name": "big", "workspaces": ["packages/*"] }'],
    ["yarn.lock", text],
  ]);
  return readProject(
    {
      name: "",
      read: (path) => {
        const content = files.get(path);
        return Promise.resolve(
          content === undefined ? undefined : Buffer.from(content),
        );
      },
      list: () => Promise.resolve([...files.keys()]),
    },
    { touchedManifests: [], complete: false, sibling },
  );
}

/**
 * Returns a yarn.lock in which each library uses five earlier ones, and each workspace ten libraries. Checksums are as
 * long as Yarn's.
 * @param lines the number of lines, rounded up to a whole entry
 */
function lockfile(lines: number): string {
  const parts = ["__metadata:\n  version: 10\n  cacheKey: 10c0\n"];
  let missing = lines - WORKSPACES * WORKSPACE_LINES - linesOf(parts[0] ?? "");
  let libraries = 0;
  for (; missing > 0; libraries++) {
    const i = libraries;
    const uses = [1, 2, 3, 5, 8].map(
      (step) => `    lib${Math.floor(i / (step + 1))}: "npm:^1.0.0"\n`,
    );
    const dependencies =
      i === 0 ? "" : `  dependencies:\n${[...new Set(uses)].join("")}`;
    const entry = `"lib${i}@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "lib${i}@npm:1.0.0"\n${dependencies}  checksum: 10c0/${i.toString(16).padStart(128, "0")}\n  languageName: node\n  linkType: hard\n`;
    parts.push(entry);
    missing -= linesOf(entry) + 1;
  }
  for (let i = 0; i < WORKSPACES; i++) {
    const uses = Array.from(
      { length: 10 },
      (_, k) => `    lib${(i * 37 + k * 91) % libraries}: "npm:^1.0.0"\n`,
    );
    parts.push(
      `"w${i}@workspace:packages/w${i}":\n  version: 0.0.0-use.local\n  resolution: "w${i}@workspace:packages/w${i}"\n  dependencies:\n${[...new Set(uses)].join("")}  languageName: unknown\n  linkType: soft\n`,
    );
  }
  return parts.join("\n");
}

function linesOf(text: string): number {
  return text.split("\n").length - 1;
}

import { identOf, rangeOf, type LockEntry, type Lockfile } from "./lockfile.js";
import { parseLockfile } from "./parse.js";
import { withProtocol } from "./resolutions.js";

/** Returns whether a yarn.lock has the form of Yarn 1. */
export function isYarn1Lockfile(text: string): boolean {
  return /^# yarn lockfile v1\r?$/m.test(text.slice(0, 500));
}

/**
 * Parses a yarn.lock of Yarn 1. It contains neither workspaces, which `completeLockfile` adds, nor peer dependencies. Source of
 * the format: `src/lockfile/stringify.js` of yarnpkg/yarn.
 * @param known another lockfile; equal entries are taken from it
 * @throws {LockfileError} for merge-conflict markers, or another form
 */
export function parseYarn1Lockfile(text: string, known?: Lockfile): Lockfile {
  return {
    entries: withoutCopies(parseLockfile(asBerry(text), known).entries),
    leavesOutWorkspaces: true,
    leavesOutPeers: true,
  };
}

/** Joins entries of the same address, as Yarn 2 writes them: those of `b@npm:a@^1.0.0` and `a@^1.0.0`. */
function withoutCopies(entries: readonly LockEntry[]): LockEntry[] {
  const byText = new Map<string, LockEntry>();
  for (const entry of entries) {
    // An entry without an address may be a local folder.
    const hasAddress = /^ {2}resolved: /m.test(entry.text);
    const text = hasAddress
      ? entry.text.replace(/::copy=\d+"$/m, '"')
      : entry.key;
    const same = byText.get(text);
    const joined = same && {
      ...same,
      key: `${same.key}\n${entry.key}`, // No other file contains this key.
      descriptors: [...same.descriptors, ...entry.descriptors],
    };
    byText.set(text, joined ?? entry);
  }
  return [...byText.values()];
}

/** Returns the name of the package that a descriptor means: `a` of `b@npm:a@^1.0.0`. */
function nameOf(descriptor: string): string {
  const range = rangeOf(descriptor);
  const inner = range.startsWith("npm:") ? range.slice("npm:".length) : "";
  return identOf(inner.includes("@", 1) ? inner : descriptor);
}

/** Writes the entries in the form of Yarn 2 and later. Each line stays on its line. */
function asBerry(text: string): string {
  let ident = "";
  const copies = new Map<string, number>();
  const lines = text.split(/\r?\n/).map((line) => {
    if (line.startsWith("#")) return "";
    if (/^\S.*:$/.test(line)) {
      const descriptors = descriptorsIn(line.slice(0, -1));
      ident = nameOf(descriptors[0] ?? "");
      return `${JSON.stringify(descriptors.join(", "))}:`;
    }
    const [, version] = /^ {2}version "?([^"]*)"?$/.exec(line) ?? [];
    if (version !== undefined) {
      const locator = `${ident}@npm:${version}`;
      const copy = copies.get(locator) ?? 0;
      copies.set(locator, copy + 1);
      // Two addresses may have the same version, but each locator is unique.
      return `  resolution: "${locator}${copy === 0 ? "" : `::copy=${copy}`}"`;
    }
    // Yarn also installs optional dependencies. A nested key is written with a space before its value.
    return line
      .replace(/^ {2}optionalDependencies:$/, "  dependencies:")
      .replace(/^( +)("[^"]+"|\S+) (?=\S)/, "$1$2: ");
  });
  return lines.join("\n");
}

/** Returns the descriptors of a key, `"@s/a@^1.0.0", a@^2.0.0`, with the protocol that Yarn 2 adds. */
function descriptorsIn(key: string): string[] {
  return Array.from(
    key.matchAll(/"([^"]*)"|[^\s,"]+/g),
    ([word, quoted = word]) =>
      `${identOf(quoted)}@${withProtocol(rangeOf(quoted))}`,
  );
}

import { components } from "@skein/fingerprint/components";
import { digest } from "@skein/fingerprint/digest";
import { addTo, addToSet } from "@skein/reporting/group-by";
import { isRecord } from "@skein/reporting/is-record";
import type { LockState } from "../project.js";
import type { LockDependency, LockEntry } from "./lockfile.js";
import { workspaceDirOf } from "./lockfile.js";
import type { LockResolver } from "./resolver.js";

/** One package in `packages` of package-lock.json, as npm writes it. Its key is its folder. */
type Installed = Readonly<Record<string, unknown>>;

/** Fields that depend on the package's dependents, not on the package itself, so changes elsewhere change them. */
const FLAGS: ReadonlySet<string> = new Set([
  "dev",
  "devOptional",
  "extraneous",
  "optional",
  "peer",
]);

const FOLDER = "node_modules/";

/**
 * Reads package-lock.json of npm 7 and later in the form of a yarn.lock, so that the same code compares it. A dependency
 * resolves as in Node: to the nearest `node_modules` above the dependent.
 * @returns undefined for an older format, and for any text that isn't such a lockfile
 */
export function readNpmLock(text: string): LockState | undefined {
  const installed = packagesIn(text);
  if (!installed) return undefined;
  const entries = new Map<string, LockEntry>();
  const links: (readonly [path: string, target: string])[] = [];
  for (const [path, fields] of installed) {
    const { link, resolved } = fields;
    if (link === true) links.push([path, String(resolved)]);
    else entries.set(path, entryOf(path, fields));
  }
  for (const [path, target] of links) {
    const entry = entries.get(target);
    if (entry) entries.set(path, entry);
  }
  const byPath = mergeCopies(entries);
  return {
    lockfile: { entries: [...new Set(byPath.values())] },
    text,
    resolutions: [],
    catalogs: new Map(),
    yarnSettingsRest: "",
    resolver: openNpmResolver(byPath),
  };
}

/**
 * Merges the copies of a package that have the same content and the same dependencies, because npm moves copies if other
 * packages change.
 */
function mergeCopies(
  byPath: ReadonlyMap<string, LockEntry>,
): ReadonlyMap<string, LockEntry> {
  const all = [...new Set(byPath.values())];
  const numbers = new Map(all.map((entry, number) => [entry, number]));
  const resolver = openNpmResolver(byPath);
  const leads = all.map(({ resolution, dependencies }) =>
    dependencies.flatMap((each) =>
      resolver
        .entriesFor(resolution, each)
        .flatMap((to) => numbers.get(to) ?? []),
    ),
  );
  const words: string[] = [];
  for (const members of components(all.length, (at) => leads[at] ?? [])) {
    const inside = new Set(members);
    const own = members.map((at) =>
      digest([
        all[at]?.resolution.replace(/::.*/, "") ?? "",
        all[at]?.text ?? "",
      ]),
    );
    const beyond = members.flatMap((at) =>
      (leads[at] ?? []).map((to) => (inside.has(to) ? "" : (words[to] ?? ""))),
    );
    const word = digest([...own.toSorted(), "", ...beyond.toSorted()]);
    members.forEach((at, place) => {
      words[at] = digest([own[place] ?? "", word]);
    });
  }
  const kinds = new Map<string, Set<string>>();
  all.forEach(({ resolution }, at) => {
    addToSet(kinds, versionOf(resolution), words[at] ?? "");
  });
  const merged = new Map<string, LockEntry>();
  return new Map(
    Array.from(byPath, ([path, entry]) => {
      const word = words[numbers.get(entry) ?? -1] ?? path;
      const version = versionOf(entry.resolution);
      const isOne = kinds.get(version)?.size === 1;
      const same = merged.get(word) ?? {
        ...entry,
        resolution: isOne ? version : `${version}::${word.slice(0, 8)}`,
      };
      merged.set(word, same);
      return [path, same];
    }),
  );
}

/** Returns a locator without the part that distinguishes copies of one version. */
function versionOf(resolution: string): string {
  return resolution.replace(/::.*/, "");
}

function packagesIn(
  text: string,
): readonly (readonly [path: string, fields: Installed])[] | undefined {
  let lock: unknown;
  try {
    lock = JSON.parse(text);
  } catch {
    return undefined;
  }
  const packages = isRecord(lock) ? lock["packages"] : undefined;
  if (!isRecord(packages)) return undefined;
  const found = Object.entries(packages);
  return found.every((each): each is [string, Installed] => isRecord(each[1]))
    ? found
    : undefined;
}

function entryOf(path: string, fields: Installed): LockEntry {
  const at = path.lastIndexOf(FOLDER);
  if (at < 0) {
    const dir = path === "" ? "." : path;
    const name = textOf(fields["name"]) ?? dir.slice(dir.lastIndexOf("/") + 1);
    const resolution = `${name}@workspace:${dir}`;
    return {
      key: resolution,
      descriptors: [resolution],
      resolution,
      dependencies: [],
      peerDependencies: [],
      text: "",
    };
  }
  const ident = path.slice(at + FOLDER.length);
  const version = `${textOf(fields["name"]) ?? ident}@npm:${textOf(fields["version"]) ?? ""}`;
  const says = Object.fromEntries(
    Object.entries(fields).filter(([field]) => !FLAGS.has(field)),
  );
  const { bin } = fields;
  const programs = isRecord(bin)
    ? Object.keys(bin).map((name) => `    ${name}: ""\n`)
    : [];
  return {
    key: path,
    descriptors: [`${ident}@${path}`],
    resolution: at === 0 ? version : `${version}::${path}`,
    dependencies: [
      "dependencies",
      "optionalDependencies",
      "peerDependencies",
    ].flatMap((field) => rangesIn(fields[field])),
    peerDependencies: [],
    // The programs in the form of yarn.lock.
    text: `  bin:\n${programs.join("")}  ${JSON.stringify(says)}\n`,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function rangesIn(field: unknown): LockDependency[] {
  return isRecord(field)
    ? Object.entries(field).map(([ident, range]) => [ident, String(range)])
    : [];
}

function openNpmResolver(byPath: ReadonlyMap<string, LockEntry>): LockResolver {
  /** The path of one copy for each resolution. All copies have the same dependencies. */
  const paths = new Map(
    Array.from(byPath, ([path, { resolution }]) => [resolution, path]),
  );
  const byIdent = new Map<string, LockEntry[]>();
  for (const [path, entry] of byPath) {
    const ident = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
    addTo(byIdent, ident, entry);
  }
  const folderOf = (locator: string) => {
    const dir = workspaceDirOf(locator);
    return dir === undefined ? paths.get(locator) : dir === "." ? "" : dir;
  };
  const entriesOf = (ident: string) => byIdent.get(ident) ?? [];
  return {
    entriesOf,
    entriesForAll: () => undefined,
    entriesFor(locator, [ident]) {
      const folder = folderOf(locator);
      if (folder === undefined) return entriesOf(ident);
      for (
        let at = folder;
        ;
        at = at.slice(0, Math.max(at.lastIndexOf("/"), 0))
      ) {
        const found = byPath.get(
          `${at}${at === "" ? "" : "/"}${FOLDER}${ident}`,
        );
        if (found) return [found];
        if (at === "") return [];
      }
    },
  };
}

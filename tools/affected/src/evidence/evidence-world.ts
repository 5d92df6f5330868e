import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join, posix } from "node:path";
import { hashVariables } from "@skein/fingerprint";
import {
  blobId,
  commitTree,
  fetchBlobsOf,
  idLengthOf,
  openObjects,
} from "@skein/git";
import type { TreeEntry } from "@skein/git";
import { fieldsIn, recordOf, type Fields } from "@skein/reporting/json-fields";
import { planUnits } from "@skein/runner";
import type { Entry, EvidenceWorld, UnitFacts } from "@skein/trace";
import { identOf, parseAnyLockfile } from "@skein/workspaces";
import { diskFiles, isOnDisk } from "../files/files.js";
import type { LocalSurvey } from "../survey.js";
import { variablesOf } from "../fingerprints/variables.js";
import { wholeGraph } from "../project/whole-graph.js";
import type { AffectedWorld } from "../world.js";

/** Settings that affect every script, even if the script doesn't read them itself. */
const EVERYWHERE = [".yarnrc.yml", ".nvmrc", ".node-version", ".tool-versions"];

/** Fields of the root's package.json that affect what Yarn installs, and that yarn.lock doesn't show. */
const INSTALLED_BY = ["packageManager", "dependenciesMeta", "resolutions"];

/** With this file, packages are read from archives whose entries no trace can show. Then all of yarn.lock counts. */
const PNP = ".pnp.cjs";

/** The files that evidence is compared with. Paths are relative to the project's root. */
interface Files {
  /** All sources. */
  readonly sources: readonly string[];
  entry(path: string): Entry | undefined;
  /** Returns the text of yarn.lock or a package.json; undefined if it doesn't exist. */
  text(path: string): string | undefined;
}

/**
 * Opens the project as evidence sees it: on the disk, or at the head of a survey that compares commits.
 * @param sources the sources, if they have been listed before
 */
export async function openEvidenceWorld(
  world: Pick<AffectedWorld, "env" | "node">,
  facts: LocalSurvey,
  sources?: readonly string[],
): Promise<EvidenceWorld> {
  const commit = facts.changeset.head?.commit;
  const files =
    isOnDisk(facts.changeset) || commit === undefined
      ? await filesOnDisk(facts, sources)
      : await filesOf(facts, commit);
  const variables = variablesOf(world.env, facts.settings);
  const named = facts.references?.variables();
  const names = namesByFolder(files.sources);
  const lockfile = files.text("yarn.lock");
  const locked = lockedByName(lockfile);
  const unit = openUnits(facts, files);
  const entry = (path: string) => files.entry(path);
  const manifest = fieldsIn(files.text("package.json"));
  const { version, platform, arch } = world.node;
  return {
    entry,
    unit,
    names: (folder) => names.get(folder) ?? [],
    locked: (name) =>
      name === "*" ? [lockfile ?? ""] : (locked.get(name) ?? []),
    variables: (path) => named?.get(path) ?? [],
    values: (names) => hashVariables(names, variables),
    surroundings: JSON.stringify([
      ...[version, platform, arch],
      ...EVERYWHERE.map((path) => entry(path) ?? null),
      ...INSTALLED_BY.map((field) => manifest[field] ?? null),
      ...(entry(PNP) === undefined ? [] : [entry(PNP), entry("yarn.lock")]),
    ]),
  };
}

/** Opens the files on the disk. Each is read once, when it is needed. */
async function filesOnDisk(
  { root, repository }: LocalSurvey,
  known: readonly string[] | undefined,
): Promise<Files> {
  const length = idLengthOf(repository);
  const entries = new Map<string, Entry | undefined>();
  const disk = diskFiles(root, () => Promise.resolve(repository));
  return {
    sources: known ?? (await disk.list()),
    entry(path) {
      if (!entries.has(path))
        entries.set(path, readEntry(join(root, path), length));
      return entries.get(path);
    },
    text(path) {
      try {
        return readFileSync(join(root, path), "utf8");
      } catch {
        return undefined;
      }
    },
  };
}

function readEntry(file: string, length: number): Entry | undefined {
  try {
    const stat = lstatSync(file);
    if (stat.isDirectory()) return "folder";
    if (stat.isSymbolicLink()) return `link ${readlinkSync(file)}`;
    const id = blobId(readFileSync(file), length);
    return (stat.mode & 0o111) === 0 ? `file ${id}` : `program ${id}`;
  } catch {
    return undefined;
  }
}

/** Opens the files of a commit. Git's list has the ids of their contents, so only few of them are read. */
async function filesOf(
  { prefix, repository: { git }, head }: LocalSurvey,
  commit: string,
): Promise<Files> {
  const objects = openObjects(git);
  try {
    const tree = commitTree(git, objects, commit);
    const entries = await tree.list();
    const links = entries.filter(({ mode }) => mode === LINK);
    const wanted = new Set([
      ...links.map(({ path }) => path),
      ...["yarn.lock", "package.json"].map((name) => prefix + name),
      ...head.packages.map(({ dir }) => posix.join(prefix, dir, MANIFEST)),
    ]);
    await fetchBlobsOf(git, commit, (path) => wanted.has(path));
    const texts = new Map<string, string>();
    for (const path of wanted) {
      const bytes = await tree.read(path);
      if (bytes) texts.set(path, bytes.toString("utf8"));
    }
    const byPath = new Map(entries.map((entry) => [entry.path, entry]));
    const folders = namesByFolder(entries.map(({ path }) => path));
    const fromTop = (path: string) => posix.join(prefix, path);
    return {
      sources: entries.flatMap(({ path }) =>
        path.startsWith(prefix) ? [path.slice(prefix.length)] : [],
      ),
      entry(path) {
        const top = fromTop(path).replace(/\/$/, "");
        if (folders.has(top)) return "folder";
        const found = byPath.get(top);
        return found && entryOf(found, texts.get(top));
      },
      text: (path) => texts.get(fromTop(path)),
    };
  } finally {
    objects.close();
  }
}

const MANIFEST = "package.json";
const LINK = "120000";
const SUBMODULE = "160000";
const PROGRAM = "100755";

function entryOf(
  { mode, id }: TreeEntry,
  target: string | undefined,
): Entry | undefined {
  if (mode === SUBMODULE) return "folder";
  // A target that can't be read is unknown, so no evidence that needs it holds.
  if (mode === LINK) return target === undefined ? undefined : `link ${target}`;
  return mode === PROGRAM ? `program ${id}` : `file ${id}`;
}

/** Returns a function that describes units as evidence does. */
function openUnits(
  facts: LocalSurvey,
  files: Files,
): (id: string) => UnitFacts | undefined {
  const { head, settings } = facts;
  const { edges } = wholeGraph(facts);
  const waits = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const waitsOf = (script: string) => {
    const known = waits.get(script);
    if (known) return known;
    const plan = planUnits({
      workspaces: head.packages.map(({ name, dir }) => ({
        ...{ name, dir, scripts: {} },
      })),
      ...{ edges, scripts: [script], pipeline: settings.pipeline },
    });
    const made = new Map(
      plan.units.map((unit) => [unit.id, unit.dependsOn] as const),
    );
    waits.set(script, made);
    return made;
  };
  const manifests = new Map<string, Fields>();
  const manifestOf = (name: string): Fields => {
    const dir = head.graph.workspaces.get(name)?.dir;
    const known = manifests.get(name);
    if (known || dir === undefined) return known ?? {};
    const manifest = fieldsIn(files.text(posix.join(dir, MANIFEST)));
    manifests.set(name, manifest);
    return manifest;
  };
  const commandOf = (id: string): string | undefined => {
    const [name, script] = partsOf(id);
    return scriptIn(manifestOf(name), script);
  };
  return (id) => {
    const command = commandOf(id);
    const script = waitsOf(partsOf(id)[1]);
    if (command === undefined || !script.has(id)) return undefined;
    const dependsOn = new Set(script.get(id));
    // A loop over a set also visits elements that are added during the loop.
    for (const each of dependsOn)
      if (commandOf(each) === undefined)
        for (const next of script.get(each) ?? []) dependsOn.add(next);
    const { version } = manifestOf(partsOf(id)[0]);
    return {
      command,
      version: typeof version === "string" ? version : "",
      dependsOn: [...dependsOn]
        .filter((each) => commandOf(each) !== undefined)
        .sort(),
    };
  };
}

function partsOf(id: string): [name: string, script: string] {
  const hash = id.lastIndexOf("#");
  return [id.slice(0, hash), id.slice(hash + 1)];
}

function scriptIn({ scripts }: Fields, script: string): string | undefined {
  const command = new Map(Object.entries(recordOf(scripts))).get(script);
  return typeof command === "string" ? command : undefined;
}

function namesByFolder(paths: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    let below = path;
    while (below !== ".") {
      const slash = below.lastIndexOf("/");
      const folder = slash === -1 ? "." : below.slice(0, slash);
      const names = folders.get(folder) ?? new Set();
      folders.set(folder, names.add(below.slice(slash + 1)));
      below = folder;
    }
  }
  return new Map(
    [...folders].map(([folder, names]) => [folder, [...names].sort()]),
  );
}

function lockedByName(text: string | undefined): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  if (text === undefined) return byName;
  for (const entry of parseAnyLockfile(text).entries) {
    const name = identOf(entry.resolution);
    byName.set(name, [...(byName.get(name) ?? []), entry.text].sort());
  }
  return byName;
}

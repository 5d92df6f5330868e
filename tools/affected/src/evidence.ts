import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { blobId } from "@skein/git";
import { count, printable } from "@skein/reporting";
import { planUnits } from "@skein/runner";
import type { NodeProcess } from "@skein/runner";
import { makeEvidence, verify, yielding } from "@skein/trace";
import type { Entry, EvidenceWorld, UnitFacts, UnitTrace } from "@skein/trace";
import { parseLockfile, identOf } from "@skein/workspaces";
import type { Affected } from "@skein/workspaces";
import { cacheDirOf } from "./cache-dir.js";
import { evidenceStore } from "./evidence-store.js";
import { diskFiles, isOnDisk } from "./files.js";
import type { Selection } from "./select.js";
import type { LocalSurvey, Survey } from "./survey.js";
import { wholeGraph } from "./whole-graph.js";
import type { AffectedWorld } from "./world.js";

/** Settings that affect every script, even if the script doesn't read them itself. */
const EVERYWHERE = [".yarnrc.yml", ".nvmrc", ".node-version", ".tool-versions"];

/** With this file, packages are read from archives whose entries no trace can show. Then all of yarn.lock counts. */
const PNP = ".pnp.cjs";

/**
 * Skips packages whose evidence holds, as far as `affected.evidence` allows, and reports them on stderr. It compares
 * only files on the disk, so otherwise it skips nothing.
 * @param script undefined if there isn't a single script, or if the script gets arguments
 */
export async function withEvidence(
  world: Pick<AffectedWorld, "env" | "stderr" | "node">,
  facts: Survey,
  selection: Selection,
  script: string | undefined,
): Promise<Selection> {
  const mode = facts.settings.affected.evidence;
  const isLocal = isLocalSurvey(facts) && isOnDisk(facts.changeset);
  if (mode === "off" || script === undefined || !isLocal) return selection;
  const { decision } = selection;
  const candidates = yielding(decision.packages.values(), mode);
  if (candidates.size === 0) return selection;
  const store = evidenceStore(cacheDirOf(world.env, facts.repository), script);
  if (store.evidence.size === 0) return selection;
  const now = await openEvidenceWorld(facts, world.node);
  const proven = new Set(
    [...candidates].filter(
      (name) =>
        verify(`${name}#${script}`, (id) => store.evidence.get(id), now) ===
        undefined,
    ),
  );
  const packages = selection.packages.filter(({ name }) => !proven.has(name));
  const left = selection.packages.filter(({ name }) => proven.has(name));
  if (left.length === 0) return selection;
  world.stderr.write(
    `evidence: ${count(left.length, "package")} need not run ${printable(script)}, nothing that a passing run read has changed: ${left.map(({ name }) => printable(name)).join(", ")}\n`,
  );
  return { decision: without(decision, proven), packages };
}

/**
 * Stores the evidence of units that have just run.
 * @param begin when they started, by the clock of the file system, in milliseconds. If a source changed since then, its
 * content during the run is unknown, and evidence that names it isn't stored.
 */
export async function keepEvidence(
  { env, node }: Pick<AffectedWorld, "env" | "node">,
  facts: LocalSurvey,
  traces: readonly UnitTrace[],
  { script, begin }: { readonly script: string; readonly begin: number },
): Promise<void> {
  const now = await openEvidenceWorld(facts, node);
  const isTouched = (path: string) =>
    now.entry(path) !== "folder" &&
    lstatSync(join(facts.root, path)).ctimeMs >= begin;
  const evidence = traces.flatMap((trace) => {
    const made = makeEvidence(trace, now);
    return made && !Object.keys(made.entries).some(isTouched) ? [made] : [];
  });
  evidenceStore(cacheDirOf(env, facts.repository), script).keep(
    traces.map(({ unit }) => unit),
    evidence,
  );
}

function isLocalSurvey(facts: Survey): facts is LocalSurvey {
  return facts.root !== undefined && facts.repository !== undefined;
}

function without(decision: Affected, names: ReadonlySet<string>): Affected {
  return {
    ...decision,
    packages: new Map(
      [...decision.packages].filter(([name]) => !names.has(name)),
    ),
  };
}

/** Opens the project on the disk for evidence. Each file is read once, when it is needed. */
export async function openEvidenceWorld(
  facts: LocalSurvey,
  { version, platform, arch }: NodeProcess,
): Promise<EvidenceWorld> {
  const { root, repository, head, settings } = facts;
  const sources = await diskFiles(root, () =>
    Promise.resolve(repository),
  ).list();
  const length = repository.objectFormat === "sha256" ? 64 : 40;
  const entries = new Map<string, Entry | undefined>();
  const entry = (path: string) => {
    if (!entries.has(path))
      entries.set(path, readEntry(join(root, path), length));
    return entries.get(path);
  };
  const names = namesByFolder(sources);
  const locked = lockedByName(root);
  const { edges } = wholeGraph(facts);
  const plans = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const waitsOf = (script: string) => {
    const known = plans.get(script);
    if (known) return known;
    const plan = planUnits({
      workspaces: head.packages.map(({ name, dir }) => ({
        ...{ name, dir, scripts: {} },
      })),
      ...{ edges, scripts: [script], pipeline: settings.pipeline },
    });
    const waits = new Map(
      plan.units.map((unit) => [unit.id, unit.dependsOn] as const),
    );
    plans.set(script, waits);
    return waits;
  };
  return {
    entry,
    names: (folder) => names.get(folder) ?? [],
    locked: (name) => locked.get(name) ?? [],
    unit(id): UnitFacts | undefined {
      const hash = id.lastIndexOf("#");
      const [name, script] = [id.slice(0, hash), id.slice(hash + 1)];
      const dir = head.graph.workspaces.get(name)?.dir;
      const command =
        dir === undefined ? undefined : scriptIn(join(root, dir), script);
      const dependsOn = waitsOf(script).get(id);
      return command === undefined || !dependsOn
        ? undefined
        : { command, dependsOn };
    },
    surroundings: JSON.stringify([
      ...[version, platform, arch],
      ...EVERYWHERE.map((path) => entry(path) ?? null),
      ...(entry(PNP) === undefined ? [] : [entry(PNP), entry("yarn.lock")]),
    ]),
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

function scriptIn(folder: string, script: string): string | undefined {
  try {
    const { scripts = {} } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    ) as { readonly scripts?: Readonly<Record<string, string>> };
    return Object.hasOwn(scripts, script) ? scripts[script] : undefined;
  } catch {
    return undefined;
  }
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

function lockedByName(root: string): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  let text: string;
  try {
    text = readFileSync(join(root, "yarn.lock"), "utf8");
  } catch {
    return byName;
  }
  for (const entry of parseLockfile(text).entries) {
    const name = identOf(entry.resolution);
    byName.set(name, [...(byName.get(name) ?? []), entry.text].sort());
  }
  return byName;
}

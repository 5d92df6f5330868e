import { lstatSync } from "node:fs";
import { join } from "node:path";
import { varyingNames } from "@skein/fingerprint";
import { count, printable, writeWords } from "@skein/reporting";
import { makeEvidence, verify, yielding } from "@skein/trace";
import type { Evidence, Mismatch, UnitTrace } from "@skein/trace";
import type { Affected } from "@skein/workspaces";
import { cacheDirOf } from "../cache-dir.js";
import { readEvidenceFiles, writeEvidenceFile } from "./evidence-file.js";
import { evidenceStore } from "./evidence-store.js";
import { openEvidenceWorld } from "./evidence-world.js";
import { isOnDisk } from "../files/files.js";
import { isInstallStale } from "../cache/install-state.js";
import type { Selection } from "../select.js";
import type { LocalSurvey, Survey } from "../survey.js";
import { variablesOf } from "../fingerprints/variables.js";
import type { AffectedWorld } from "../world.js";

/** The script that evidence is about, and where the evidence is. */
export interface EvidenceRequest {
  /** Undefined if there isn't a single script, or if the script gets arguments. */
  readonly script: string | undefined;
  /**
   * Files that `trace --evidence` wrote, the newest last; undefined for the evidence of this clone. Runs of a CI wrote
   * them, which all have the same environment, so the values of variables here don't matter.
   */
  readonly files?: readonly string[] | undefined;
}

/**
 * Skips packages whose evidence holds, as far as `affected.evidence` allows, and reports them on stderr. The evidence
 * of this clone is about files on the disk, so it skips nothing if the selection is about another tree.
 */
export async function withEvidence(
  world: Pick<AffectedWorld, "env" | "stderr" | "node" | "cwd">,
  facts: Survey,
  selection: Selection,
  { script, files }: EvidenceRequest,
): Promise<Selection> {
  const mode = facts.settings.affected.evidence;
  if (mode === "off" || script === undefined) return selection;
  const { decision } = selection;
  const candidates = yielding(decision.packages.values(), mode);
  if (candidates.size === 0) return selection;
  const mismatchOf = await openEvidence(world, facts, { script, files });
  const proven = new Set(
    [...candidates].filter(
      (name) => mismatchOf && mismatchOf(name) === undefined,
    ),
  );
  const packages = selection.packages.filter(({ name }) => !proven.has(name));
  const left = selection.packages.filter(({ name }) => proven.has(name));
  if (left.length === 0) return selection;
  writeWords(
    world.stderr,
    `evidence: ${count(left.length, "package")} need not run ${printable(script)}, nothing that a passing run read has changed: ${left.map(({ name }) => printable(name)).join(", ")}\n`,
  );
  return { decision: without(decision, proven), packages, leftOut: left };
}

/**
 * Returns why a selected package must run a script although there is evidence about it, or that it need not run, as a line
 * for people; undefined if evidence doesn't matter.
 */
export async function evidenceWords(
  world: EvidenceSources,
  facts: Survey,
  { decision }: Selection,
  { name, script }: { readonly name: string; readonly script: string },
): Promise<string | undefined> {
  const mode = facts.settings.affected.evidence;
  if (!yielding(decision.packages.values(), mode).has(name)) return undefined;
  const mismatchOf = await openEvidence(world, facts, { script });
  const mismatch = mismatchOf?.(name);
  const unit = `${name}#${script}`;
  if (
    !mismatchOf ||
    (mismatch?.kind === "no-evidence" && mismatch.unit === unit)
  )
    return undefined;
  const subject = `evidence: ${printable(name)}`;
  return mismatch
    ? `${subject} must run ${printable(script)}: ${mismatchWords(mismatch, unit)}\n`
    : `${subject} need not run ${printable(script)}, nothing that a passing run read has changed\n`;
}

/** The world in which evidence is compared. */
type EvidenceSources = Pick<AffectedWorld, "env" | "node" | "cwd">;

/**
 * Opens the evidence about a script.
 * @returns a function that returns why a package's evidence doesn't hold, if it doesn't; undefined if there is none, or if it
 * can't be compared
 */
async function openEvidence(
  world: EvidenceSources,
  facts: Survey,
  { script, files }: EvidenceRequest & { readonly script: string },
): Promise<((name: string) => Mismatch | undefined) | undefined> {
  if (!isLocalSurvey(facts)) return undefined;
  if (!files && !isOnDisk(facts.changeset)) return undefined;
  // Evidence is about the packages of the lockfile.
  if (!files && isInstallStale(facts.root)) return undefined;
  const evidence = files
    ? await readEvidenceFiles(world.cwd, files, script)
    : evidenceStore(cacheDirOf(world.env, facts.repository), script).evidence;
  if (evidence.size === 0) return undefined;
  const here = await openEvidenceWorld(world, facts);
  const now = files ? { ...here, values: () => SAME } : here;
  return (name) => verify(`${name}#${script}`, (id) => evidence.get(id), now);
}

/** Renders why evidence doesn't hold. @param about the unit that the evidence is about */
function mismatchWords(mismatch: Mismatch, about: string): string {
  const { unit } = mismatch;
  const of = unit === about ? "" : `${printable(unit)}: `;
  switch (mismatch.kind) {
    case "no-evidence":
      return `${of}it ran again since, or its trace was incomplete`;
    case "unit":
      return `${of}the command, the version or the scripts before it changed`;
    case "surroundings":
      return `${of}Node, the system or settings of the whole project changed`;
    case "variables":
      return `${of}a variable that its files name has another value`;
    case "entry":
      return `${of}${printable(mismatch.name)} changed`;
    case "missing":
      return `${of}${printable(mismatch.name)} didn't exist before the recorded run`;
    case "folder":
      return `${of}the names in ${printable(mismatch.name)} changed`;
    case "external":
      return `${of}yarn.lock has another ${printable(mismatch.name)}`;
  }
}

/** The values of variables in evidence that other machines use: a key of the CI replaces them. */
const SAME = "same";

/** A run whose evidence is stored. */
export interface EvidenceRun {
  readonly script: string;
  /**
   * When the units started, by the clock of the file system, in milliseconds. If a file changed since then, its content
   * during the run is unknown.
   */
  readonly begin: number;
  /** The sources when the units started. */
  readonly sources: readonly string[];
  /** The file for evidence that other machines use; undefined for none. */
  readonly file: string | undefined;
}

/** Stores the evidence of units that have just run, in this clone and on request in a file. */
export async function keepEvidence(
  world: Pick<AffectedWorld, "env" | "node" | "cwd">,
  facts: LocalSurvey,
  traces: readonly UnitTrace[],
  { script, begin, sources, file }: EvidenceRun,
): Promise<void> {
  const { env, cwd } = world;
  const now = await openEvidenceWorld(world, facts, sources);
  const isTouched = (path: string) =>
    (lstatSync(join(facts.root, path), { throwIfNoEntry: false })?.ctimeMs ??
      0) >= begin;
  const manifests = facts.head.packages.map(({ dir }) => `${dir}/package.json`);
  const isSettled =
    !isInstallStale(facts.root) &&
    !["yarn.lock", "package.json", ...manifests].some(isTouched);
  const then = {
    ...now,
    entry: (path: string) => {
      const entry = now.entry(path);
      return entry !== "folder" && isTouched(path) ? undefined : entry;
    },
  };
  const units = traces.map(({ unit }) => unit);
  evidenceStore(cacheDirOf(env, facts.repository), script).keep(
    units,
    isSettled ? makeEvidence(traces, then) : [],
  );
  if (file === undefined) return;
  const variables = variablesOf(env, facts.settings);
  const values = (names: readonly string[]) =>
    varyingNames(names, variables).length > 0 ? undefined : SAME;
  const evidence: readonly Evidence[] = isSettled
    ? makeEvidence(traces, { ...then, values })
    : [];
  await writeEvidenceFile(cwd, file, { script, units, evidence });
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

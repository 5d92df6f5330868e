import { readFileSync } from "node:fs";
import { join } from "node:path";
import { digest, hashTree } from "@skein/fingerprint";
import type { TreeFacts } from "@skein/fingerprint";
import { readStatus, resolveCommit } from "@skein/git";
import type { Repository } from "@skein/git";
import { relativeTo, treeFacts } from "@skein/workspaces";
import type { Settings } from "@skein/workspaces";
import { cacheDirOf } from "../cache-dir.js";
import { fileClock } from "../file-clock.js";
import type { SelectOptions } from "../command.js";
import { diskFiles, prefixOf } from "../files.js";
import { findPlace } from "../place.js";
import type { Place } from "../place.js";
import { programVersion } from "../program-version.js";
import { readSettings } from "../settings.js";
import { assertLocal, survey } from "../survey.js";
import type { LocalSurvey } from "../survey.js";
import type { AffectedWorld } from "../world.js";
import { listIgnored } from "./ignored-files.js";
import {
  isSameBeside,
  keptFile,
  readFingerprints,
  writeFingerprints,
} from "./kept.js";
import type { KeptFingerprints, KeptKey, KeptKind } from "./kept.js";
import {
  areSettled,
  listTree,
  stateOfIgnored,
  statesOf,
} from "./tree-files.js";
import type { ChangedFiles } from "./tree-files.js";

/** The tree and the script of a request. */
export interface TreeRequest {
  /** A commit; undefined for the working tree. */
  readonly head: string | undefined;
  /** Undefined for all scripts. */
  readonly script: string | undefined;
}

/** A tree that was read completely. */
export interface ReadTree {
  readonly facts: LocalSurvey;
  /** Undefined if a source can't be read, because it may use anything. */
  readonly tree: TreeFacts | undefined;
  readonly kept: KeptFingerprints;
}

/** The fingerprints of a tree, and its location. */
export interface OpenedTree extends KeptFingerprints {
  /** The project's folder, absolute. */
  readonly root: string;
  readonly settings: Settings;
}

/** Surveys a whole tree: that of a commit, or the working tree. */
export async function surveyTree(
  world: AffectedWorld,
  head: string | undefined,
): Promise<LocalSurvey> {
  const options: SelectOptions = {
    ...{ base: undefined, since: head ?? "HEAD", head },
    ...{ committed: head !== undefined, pr: undefined, filesFrom: undefined },
    ...{ deepen: "never", fallback: "all", filter: [], sourceEdges: true },
  };
  const facts = await survey(world, {
    options,
    // In a comparison, changed manifests take precedence over yarn.lock. In a single tree, nothing shows which ones changed.
    complete: true,
    wholeTree: true,
  });
  assertLocal(facts);
  return facts;
}

/**
 * Reads all facts of a surveyed tree.
 * @param script undefined for all scripts
 * @returns also `told`: the changed files that were read; undefined if the result can't be cached
 */
export async function readTree(
  { now }: Pick<AffectedWorld, "now">,
  facts: LocalSurvey,
  script: string | undefined,
): Promise<ReadTree & { readonly told: ChangedFiles | undefined }> {
  const { head, references, settings, warnings } = facts;
  const listed = await listTree(
    facts,
    references?.variables() ?? new Map(),
    now(),
    script,
  );
  const tree =
    references?.unreadable === 0
      ? treeFacts({
          project: head,
          files: listed.files,
          settings: settings.affected,
          pipeline: settings.pipeline,
          script,
          references,
        })
      : undefined;
  const hashed = tree && hashTree(tree);
  const units = head.packages.map(({ name, dir, manifest }) => ({
    ...{ name, dir, fingerprint: hashed?.get(name) },
    hasScript:
      script === undefined || Object.hasOwn(manifest?.scripts ?? {}, script),
  }));
  const kept = { units, warnings, beside: listed.beside };
  const isTold = tree !== undefined && listed.isTold;
  return { facts, tree, kept, told: isTold ? listed.changed : undefined };
}

/**
 * Opens the fingerprints of a tree. It uses those of an earlier run if the tree is the same, and reads the tree otherwise.
 */
export async function openTree(
  world: AffectedWorld,
  { head, script }: TreeRequest & { readonly script: string },
): Promise<OpenedTree> {
  const place = await findPlace(world, false, world.begun);
  const { root } = place;
  const repository = await place.opening;
  const keepIn = cacheDirOf(world.env, repository);
  const begin = clockIn(keepIn);
  const settings = await readSettings(
    diskFiles(root, () => Promise.resolve(repository)),
  );
  const [named, listed] = await Promise.all([
    nameTree(place, repository, { head, script, keepIn }),
    place.checkedOut ? listIgnored(root, repository) : [],
  ]);
  const file = named && keptFile(keepIn, script, named.kind);
  const known = file && readFingerprints(file, named.key);
  const stateOf = (path: string) => stateOfIgnored({ root, repository }, path);
  if (known && isSameBeside(root, known, stateOf, listed))
    return { ...known, root, settings };
  const read = await readTree(world, await surveyTree(world, head), script);
  // If a file was written meanwhile, some steps may have read it before and others after that.
  const isSame =
    JSON.stringify(read.told) === JSON.stringify(named?.changed) &&
    areSettled({ root }, named?.changed ?? [], begin);
  if (file && isSame) writeFingerprints(file, named.key, read.kept);
  return { ...read.kept, root, settings };
}

/**
 * Files that a project is read from, even if git doesn't track them. For commits too, skein.json is that of the working tree.
 */
const SOURCES = ["skein.json", "package.json", "yarn.lock", ".yarnrc.yml"];

/** Returns the time that a new file gets now, in milliseconds; -Infinity if the folder isn't writable. */
function clockIn(folder: string): number {
  try {
    return fileClock(folder);
  } catch {
    return -Infinity;
  }
}

/** A tree, identified by its inputs. */
interface NamedTree {
  readonly kind: KeptKind;
  readonly key: KeptKey;
  readonly changed: ChangedFiles;
}

/** Returns all inputs of the fingerprints, as text; undefined if the content of a changed file is unknown. */
async function nameTree(
  { root, checkedOut, begun }: Place,
  repository: Repository,
  {
    head,
    script,
    keepIn,
  }: TreeRequest & { readonly script: string; readonly keepIn: string },
): Promise<NamedTree | undefined> {
  const { git, known, prefix, topLevel } = repository;
  if (!checkedOut || topLevel === undefined || repository.head === undefined)
    return undefined;
  const sources = SOURCES.slice(0, head === undefined ? undefined : 1).map(
    (path) => known.blobs.get(path) ?? contentOf(join(root, path)),
  );
  const folder = prefixOf(topLevel, root);
  const place = [programVersion(), script, folder];
  if (head !== undefined) {
    const commit = await resolveCommit(git, head);
    const key = [...place, "commit", commit, ...sources];
    return { kind: "commit", key, changed: [] };
  }
  const status = await (begun?.status ??
    readStatus(git, { ...repository, keepIn }));
  if (status.head !== repository.head) return undefined;
  // Files of the repository outside of the project may count too.
  const tree = (prefix === "" ? known.tree : undefined) ?? repository.head;
  const key = [...place, "tree", tree, ...sources];
  if (status.entries.length === 0) return { kind: "clean", key, changed: [] };
  const changed = statesOf(
    { root, repository },
    status.entries.map(({ path }) => relativeTo(path, folder.slice(0, -1))),
  );
  return changed.some(([, state]) => state === undefined)
    ? undefined
    : {
        kind: "changed",
        key: [...key, ...changed.flat().map(String)],
        changed,
      };
}

function contentOf(file: string): string {
  try {
    return digest([readFileSync(file, "latin1")]);
  } catch {
    return "";
  }
}

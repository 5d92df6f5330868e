import { readFileSync } from "node:fs";
import { join } from "node:path";
import { digest, hashTree, type TreeFacts } from "@skein/fingerprint";
import { resolveCommit, type Repository } from "@skein/git";
import { scriptsBefore, treeFacts, type Settings } from "@skein/workspaces";
import { DEFAULT_OPTIONS, type SelectOptions } from "../command.js";
import { pathsFromTop, prefixOf } from "../files/files.js";
import { versionAbove } from "@skein/reporting/version-above";
import { asItIs, assertLocal, survey, type LocalSurvey } from "../survey.js";
import { wholeGraph } from "../project/whole-graph.js";
import type { AffectedWorld } from "../world.js";
import { areSure, timesAgain } from "./folder-times.js";
import {
  decodeFingerprints,
  encodeForOthers,
  hasSameFolders,
  isSameOutsideTree,
  keptFile,
  keyText,
  readFingerprints,
  writeFingerprints,
} from "./kept.js";
import type { KeptFingerprints, KeptKey, KeptKind } from "./kept.js";
import { lookAtTree, type TreeLook } from "./look.js";
import {
  areSettled,
  listTree,
  stateOfIgnored,
  statesOf,
} from "./tree-files.js";
import type { ChangedFiles } from "./tree-files.js";

/** One tree whose files were all read. */
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
  readonly repository: Repository;
  readonly settings: Settings;
}

/** Surveys a whole tree: that of a commit, or the working tree. */
export async function surveyTree(
  world: AffectedWorld,
  head: string | undefined,
): Promise<LocalSurvey> {
  const options: SelectOptions = {
    ...asItIs(DEFAULT_OPTIONS),
    ...(head !== undefined && { since: head, head, committed: true }),
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
 * @returns also `differing`: the changed and unreported files that were read; undefined if the result can't be cached
 */
export async function readTree(
  { now }: Pick<AffectedWorld, "now">,
  facts: LocalSurvey,
  script: string | undefined,
): Promise<ReadTree & { readonly differing: ChangedFiles | undefined }> {
  const { head, references, settings, warnings } = facts;
  const listed = await listTree(
    facts,
    references?.variables() ?? new Map(),
    now(),
    script,
  );
  const tree =
    references?.unreadable.length === 0
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
  const before = scriptsBefore(settings.pipeline, script);
  const asked = new Set(script === undefined ? [] : [script, ...before]);
  const units = head.packages.map(({ name, dir, manifest }) => {
    const version = manifest?.fields["version"];
    return {
      ...{ name, dir, fingerprint: hashed?.get(name) },
      version: typeof version === "string" ? version : undefined,
      scripts: Object.fromEntries(
        Object.entries(manifest?.scripts ?? {}).filter(([each]) =>
          asked.has(each),
        ),
      ),
    };
  });
  const edges = before.length === 0 ? [] : wholeGraph(facts).edges;
  const kept = {
    ...{ units, warnings, outside: listed.outside },
    edges: edges.map(({ from, to, kind }) => [from, to, kind] as const),
  };
  const isComplete = tree !== undefined && listed.isComplete;
  const differing = [...listed.unreported, ...listed.changed];
  return { facts, tree, kept, differing: isComplete ? differing : undefined };
}

/** Returns the fingerprints of a tree for one script. If an earlier run cached them for the same tree, it doesn't read the tree. */
export function openTree(
  world: AffectedWorld,
  look: TreeLook,
  script: string,
): Promise<OpenedTree> {
  const known = look.opened.get(script);
  if (known) return known;
  const opening = findOrRead(world, look, script);
  look.opened.set(script, opening);
  return opening;
}

async function findOrRead(
  world: AffectedWorld,
  look: TreeLook,
  script: string,
): Promise<OpenedTree> {
  const { place, repository, keepIn, settings, head, status } = look;
  const { root } = place;
  const named = await nameTree(look, script);
  const file = named && keptFile(keepIn, script, named.kind);
  const kept = file && readFingerprints(file, named.key);
  const known = kept ?? (named && (await fromOthers(look, named)));
  const opened = { root, repository, settings };
  if (file && known) {
    const as = status?.folders;
    // A commit has other folders than the working tree, which is where ignored files are.
    const listed =
      head === undefined && hasSameFolders(root, known, as)
        ? undefined
        : await look.listed();
    const stateOf = (path: string) =>
      stateOfIgnored({ root, repository }, path);
    if (isSameOutsideTree(root, known, stateOf, listed)) {
      if (listed || as !== known.outside.as)
        keepFolders(look, { file, key: named.key, known, isNew: !kept });
      return { ...known, ...opened };
    }
  }
  if (look.isEarly) {
    const { shared } = look;
    const now = await lookAtTree({ ...world, early: undefined }, head, shared);
    return openTree(world, now, script);
  }
  const fresh = { ...world, early: undefined };
  const read = await readTree(fresh, await surveyTree(fresh, head), script);
  // A file that another process wrote in the meantime may have been read partly before and partly after.
  const changed = named?.changed ?? [];
  const isSame =
    JSON.stringify(read.differing) ===
      JSON.stringify([...look.unreported, ...changed]) &&
    areSettled({ root }, changed, look.begin);
  if (file && isSame) {
    writeFingerprints(file, named.key, read.kept);
    if (named.kind === "clean")
      look.shared?.offerFacts(
        keyText(named.key),
        encodeForOthers(named.key, read.kept),
      );
  }
  return { ...read.kept, ...opened };
}

/** Returns the fingerprints that another machine has computed of the same commit's tree. */
async function fromOthers(
  { shared }: TreeLook,
  { kind, key }: NamedTree,
): Promise<KeptFingerprints | undefined> {
  return kind === "clean"
    ? decodeFingerprints(await shared?.readFacts(keyText(key)), key)
    : undefined;
}

/** Caches the current times of the folders, so that the next run need not list the ignored files. */
function keepFolders(
  { place: { root }, head, status, now }: TreeLook,
  {
    file,
    key,
    known,
    isNew,
  }: {
    readonly file: string;
    readonly key: KeptKey;
    readonly known: KeptFingerprints;
    readonly isNew: boolean;
  },
): void {
  if (head !== undefined) return;
  const folders = timesAgain(root, known.outside.folders, now);
  const as = status?.folders;
  const isSure = as !== undefined || areSure(folders);
  if (!isSure && !isNew) return;
  const outside = { ...known.outside, folders, as };
  writeFingerprints(file, key, { ...known, outside });
}

/**
 * Files that determine the project, even if git doesn't track them. A commit, too, has the settings in the working tree's
 * skein.json.
 */
const SOURCES = ["skein.json", "package.json", "yarn.lock", ".yarnrc.yml"];

/** The inputs of a tree's fingerprints. */
interface NamedTree {
  readonly kind: KeptKind;
  readonly key: KeptKey;
  readonly changed: ChangedFiles;
}

/** Returns the inputs of a tree's fingerprints; undefined if the content of a changed file is unknown. */
async function nameTree(
  look: TreeLook,
  script: string,
): Promise<NamedTree | undefined> {
  const { repository, head, status, unreported } = look;
  const { root, checkedOut } = look.place;
  const { git, known, prefix, topLevel } = repository;
  if (!checkedOut || topLevel === undefined || repository.head === undefined)
    return undefined;
  const sources = SOURCES.slice(0, head === undefined ? undefined : 1).map(
    (path) => known.blobs.get(path) ?? contentOf(join(root, path)),
  );
  const folder = prefixOf(topLevel, root);
  const place = [versionAbove(import.meta.url), script, folder];
  if (head !== undefined) {
    const commit = await resolveCommit(git, head);
    const key = [...place, "commit", commit, ...sources];
    return { kind: "commit", key, changed: [] };
  }
  if (status?.head !== repository.head) return undefined;
  // Beside the project, other files of the repository may count.
  const tree = (prefix === "" ? known.tree : undefined) ?? repository.head;
  const key = [...place, "tree", tree, ...sources, ...unreported.flat()];
  if (status.entries.length === 0) return { kind: "clean", key, changed: [] };
  const here = pathsFromTop(root, repository);
  const changed = statesOf(
    { root, repository },
    status.entries.map(({ path }) => here(path)),
  );
  return changed.some(([, state]) => state === undefined)
    ? undefined
    : {
        kind: "changed",
        key: [...key, "changed", ...changed.flat().map(String)],
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

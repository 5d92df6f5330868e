import type { Change, Changeset, Unknown } from "@skein/changes";
import { commitTree, isPartialClone, openObjects } from "@skein/git";
import type { DiffReader, Repository } from "@skein/git";
import type { CliWorld } from "@skein/reporting";
import { count } from "@skein/reporting/amounts";
import { usageFailure } from "@skein/reporting/failure";
import { printable } from "@skein/reporting/printable";
import type { Project, Settings } from "@skein/workspaces";
import { cacheDirOf } from "./cache-dir.js";
import { readChanges } from "./changes/changes.js";
import { DEFAULT_OPTIONS, type SelectOptions } from "./command.js";
import type { HeadStart } from "./head-start.js";
import { findPlace, type Place } from "./project/place.js";
import type { ReferencesRequest } from "./references/read-graph.js";
import type { OpenedReferences } from "./references/references.js";
import { openEnds, readEnds, type Ends } from "./project/ends.js";
import { diskFiles, prefixOf, remembered } from "./files/files.js";
import { ReadAhead } from "./references/read-ahead.js";
import {
  committedSettings,
  readCommitted,
  readSettings,
} from "./project/settings.js";
import { workspaceGlobWarnings } from "./project/workspace-globs.js";
import { readKeptProject, withIds } from "./project/kept-project.js";

/** All facts that were read. The later steps only decide on them, and read nothing more. */
export interface Survey {
  /** The project's folder, absolute; undefined without a clone (for a pull request that is read from GitHub). */
  readonly root: string | undefined;
  /** The project's folder, relative to the top of the repository: "" or with a final `/`. */
  readonly prefix: string;
  readonly repository: Repository | undefined;
  readonly settings: Settings;
  readonly changeset: Changeset;
  /** The changes with paths relative to the project's root. Outside of it, they begin with `../`. */
  readonly changes: readonly Change[];
  /** Why the changes, or the references to them, may be incomplete. */
  readonly unknown: readonly Unknown[];
  /** Warnings for the user, for example about files that could not be read. */
  readonly warnings: readonly string[];
  readonly base: Project | undefined;
  readonly head: Project;
  readonly references: OpenedReferences | undefined;
  /**
   * Reads a file of the repository by its path from the top: from the disk, or from a commit if nothing is checked out.
   */
  readTop(path: string): Promise<Buffer | undefined>;
}

/** A survey of a project with a clone. */
export interface LocalSurvey extends Survey {
  readonly root: string;
  readonly repository: Repository;
}

/** Checks that a survey has a clone. @throws Failure (usage) if it doesn't */
export function assertLocal(facts: Survey): asserts facts is LocalSurvey {
  if (facts.root === undefined || !facts.repository) {
    throw usageFailure("this needs a clone of the repository", {
      hint: "run it in a clone; list, why and graph do without one",
    });
  }
}

/** A world in which git may have started early. */
export interface SurveyWorld extends CliWorld {
  readonly early?: HeadStart | undefined;
}

export interface SurveyRequest {
  readonly options: SelectOptions;
  /** Read every manifest, for scripts and for the kinds of edges. */
  readonly complete: boolean;
  /** The script whose references are sufficient; undefined for those that count for any script. */
  readonly script?: string | undefined;
  /**
   * Whether the caller needs the graph itself, with the edges from sources even if nothing changed. Filters need it
   * too.
   */
  readonly wholeGraph?: boolean;
  /**
   * Whether the caller needs all facts of one tree, changed or not: its lockfile, its graph, and the references of all
   * files.
   */
  readonly wholeTree?: boolean;
}

/** @property isPartial whether it is a partial clone without a working tree */
interface SurveyPlace extends Place {
  readonly isPartial?: boolean;
}

/** Returns options that compare only the working tree with HEAD, with the filters and edges of other options. */
export function asItIs({
  filter,
  sourceEdges,
}: Pick<SelectOptions, "filter" | "sourceEdges">): SelectOptions {
  return {
    ...DEFAULT_OPTIONS,
    ...{ since: "HEAD", deepen: "never", fallback: "all" },
    ...{ filter, sourceEdges },
  };
}

/** Reads the changeset, and the project at both its ends. */
export async function survey(
  world: SurveyWorld,
  request: SurveyRequest,
): Promise<Survey> {
  const { options } = request;
  const { base, since, pr } = options;
  const isAnywhere = pr !== undefined;
  const place = await findPlace(world, isAnywhere, world.early, {
    base: since === "HEAD" ? since : base === "last-green" ? undefined : base,
  });
  return place.checkedOut
    ? surveyAt(world, place, request)
    : surveyCommits(world, place, request);
}

/**
 * Surveys a repository without a working tree, which has only commits. In a partial clone, it fetches the necessary
 * files in few requests.
 */
async function surveyCommits(
  world: CliWorld,
  place: Place,
  { options, ...request }: SurveyRequest,
): Promise<Survey> {
  const repository = await place.opening;
  const { git, head } = repository;
  const isPartial = await isPartialClone(git);
  if (isPartial && head !== undefined) {
    const { fetchProjectFiles } =
      await import("@skein/workspaces/fetch-project");
    await fetchProjectFiles(repository, head);
  }
  // All files are read from commits. While this reader is open, the others use its process.
  const objects = openObjects(git);
  try {
    return await surveyAt(
      world,
      { ...place, isPartial },
      { ...request, options: { ...options, committed: true } },
    );
  } finally {
    objects.close();
  }
}

async function surveyAt(
  world: CliWorld,
  place: SurveyPlace,
  request: SurveyRequest,
): Promise<Survey> {
  const { sourceEdges, pr, head } = request.options;
  const ahead = new ReadAhead(world, place.opening);
  // In a partial clone without files, this would fetch every source, even if nothing needs them.
  const isEarly = sourceEdges && pr === undefined && head === undefined;
  if (isEarly && !place.isPartial) ahead.beginReferences(place.root);
  try {
    return await surveyWith(ahead, world, place, request);
  } finally {
    await ahead.stop();
  }
}

async function surveyWith(
  ahead: ReadAhead,
  world: CliWorld,
  { root, opening, checkedOut, early, isPartial = false }: SurveyPlace,
  request: SurveyRequest,
): Promise<Survey> {
  const disk = remembered(diskFiles(root, () => opening));
  const settings = checkedOut
    ? await readSettings(disk)
    : await committedSettings(await opening, root);
  const [{ changeset, treeAt }, opened] = await Promise.all([
    readChanges(world, opening, settings, request.options, early),
    early?.status === undefined ? undefined : ahead.openProject(),
  ]);
  if (treeAt)
    return surveyRemote(
      openEnds({ prefix: "", changeset, disk, treeAt }),
      changeset,
      request.complete,
    );
  const repository = await opening;
  if (isPartial) {
    const { fetchChanged } = await import("./changes/fetch-changed.js");
    await fetchChanged(repository, changeset);
  }
  const prefix = prefixOf(repository.topLevel ?? repository.gitDir, root);
  const isAsked = needsReferences(request, changeset);
  if (!isAsked) await ahead.stop();
  const objects = openObjects(repository.git);
  const cacheDir = cacheDirOf(world.env, repository);
  try {
    return await readLocal({
      ...{ request, settings, cacheDir },
      ahead: isAsked ? ahead : undefined,
      diffs: early?.diffs,
      ends: openEnds({
        ...{ prefix, changeset, disk },
        treeAt: (commit) => commitTree(repository.git, objects, commit),
        // A cached project lacks its lockfile.
        kept: request.wholeTree
          ? undefined
          : (head) =>
              readKeptProject(
                withIds(head, repository, { changeset, prefix }),
                cacheDir,
                opened,
              ),
      }),
      place: {
        ...{ root, prefix, repository, changeset },
        readTop: (path) =>
          checkedOut
            ? diskFiles(repository.topLevel ?? root, () => opening).read(path)
            : readCommitted(repository, path),
      },
    });
  } finally {
    objects.close();
  }
}

/**
 * Returns whether the references of files are needed. If nothing changed, or everything may have changed, only the
 * graph and filters need them.
 */
function needsReferences(
  { options, wholeGraph, wholeTree }: SurveyRequest,
  { changes, unknown }: Changeset,
): boolean {
  return (
    options.sourceEdges &&
    (wholeGraph === true ||
      wholeTree === true ||
      options.filter.length > 0 ||
      (changes.length > 0 && unknown.length === 0))
  );
}

/** The inputs of a survey in a clone. */
interface LocalInputs {
  readonly request: SurveyRequest;
  readonly settings: Settings;
  readonly cacheDir: string;
  readonly ends: Ends;
  readonly diffs: DiffReader | undefined;
  /** Undefined if the references of files aren't needed. */
  readonly ahead: ReadAhead | undefined;
  readonly place: Pick<
    LocalSurvey,
    "root" | "prefix" | "repository" | "changeset" | "readTop"
  >;
}

/**
 * Reads both ends of the changes. It repeats this for workspaces that `yarn.lock` lacks, because these may contain
 * others.
 */
async function readLocal(inputs: LocalInputs): Promise<Survey> {
  const { ends, request, settings, place } = inputs;
  const unlisted: string[] = [];
  for (;;) {
    const read = await readEnds(ends, request.complete, settings, unlisted);
    const facts = { ...read, ...place };
    const references = await readReferences(inputs, facts);
    const more = (references?.unlisted ?? []).filter(
      (dir) => !unlisted.includes(dir),
    );
    if (more.length > 0) {
      unlisted.push(...more);
      continue;
    }
    // If the references contain the name from every manifest, they contain every workspace.
    const isWhole = references?.unreadable.length === 0;
    const globs = await workspaceGlobWarnings(read.head, ends.head, isWhole);
    const { changeset } = place;
    return {
      ...facts,
      references,
      unknown: changeset.unknown,
      warnings: [
        ...emptyList(changeset),
        ...unlisted.map(notInLockfile),
        ...missingFiles(references),
        ...globs,
      ],
    };
  }
}

/** Reads the references of files, if they are needed. Only then are the parser and the index loaded. */
async function readReferences(
  { request, ends, ahead, cacheDir, diffs }: LocalInputs,
  facts: Omit<
    ReferencesRequest,
    "cacheDir" | "script" | "wholeTree" | "files" | "diffs" | "reading"
  >,
): Promise<OpenedReferences | undefined> {
  if (!ahead) return undefined;
  const { openReferences } = await import("./references/references.js");
  const { script, wholeTree } = request;
  const reading = await ahead.references;
  return openReferences({
    ...facts,
    ...{ script, wholeTree, files: ends.head, diffs, reading, cacheDir },
  });
}

/** Surveys a pull request that was read from GitHub, without a clone. */
async function surveyRemote(
  ends: Ends,
  changeset: Changeset,
  complete: boolean,
): Promise<Survey> {
  const settings = await readSettings(ends.head);
  const read = await readEnds(ends, complete, settings);
  const globs = await workspaceGlobWarnings(read.head, ends.head, false);
  return {
    ...read,
    root: undefined,
    prefix: "",
    repository: undefined,
    changeset,
    references: undefined,
    unknown: changeset.unknown,
    warnings: [NOT_CLONED, ...globs],
    readTop: (path) => ends.head.read(path),
  };
}

const NOT_CLONED =
  "without a clone, Skein reads no sources, so it can't find dependencies that no package.json declares";

/** Warns about an empty list: the command that makes the list may have failed, and a pipe hides that. */
function emptyList({ source, changes }: Changeset): string[] {
  return source.kind === "list" && changes.length === 0
    ? [`${source.from} names no file: nothing is affected`]
    : [];
}

function notInLockfile(dir: string): string {
  return `yarn.lock has no entry for the workspace ${printable(dir)}: run \`yarn install\``;
}

/** Returns a warning about files of a partial clone that nothing provides: they count as changed. */
function missingFiles(references: OpenedReferences | undefined): string[] {
  const [first, ...more] = references?.unreadable ?? [];
  if (first === undefined) return [];
  const names = `${printable(first)}${more.length > 0 ? ", …" : ""}`;
  return [
    `this partial clone lacks ${count(more.length + 1, "file")} that the remote doesn't provide (${names}): missing files may use any changed file, so Skein treats them as changed`,
  ];
}

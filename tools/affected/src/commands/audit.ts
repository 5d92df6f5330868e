import { realpath } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import {
  count,
  ExitCode,
  Failure,
  printable,
  readRegularText,
  writeWords,
  type Out,
} from "@skein/reporting";
import type { ReferenceGraph } from "@skein/references";
import { replaceFile } from "@skein/reporting/replace-file";
import {
  audit,
  fixManifests,
  isDevelopmentFile,
  isTypeImport,
  problemsToJson,
  renderProblems,
  type AuditProblem,
  type Crossing,
  type ManifestText,
} from "@skein/references/audit";
import { nameMatcher, unmatchedSettings } from "@skein/workspaces";
import type { ProjectFiles } from "@skein/workspaces";
import { cacheDirOf } from "../cache-dir.js";
import type { Command } from "../command.js";
import { diskFiles } from "../files/files.js";
import { readGraph } from "../references/read-graph.js";
import { warn } from "../select.js";
import { asItIs, assertLocal, survey, type LocalSurvey } from "../survey.js";
import type { AffectedWorld } from "../world.js";

/**
 * Runs `affected audit`, which finds dependencies that manifests don't declare. With `--check`, it returns 1 if it
 * finds any problem.
 */
export async function runAudit(
  world: AffectedWorld,
  { check, fix, json }: Extract<Command, { kind: "audit" }>,
): Promise<number> {
  // An audit is about the current state, not about changes. It reads the edges from sources itself.
  const options = asItIs({ filter: [], sourceEdges: false });
  const facts = await survey(world, { options, complete: true });
  assertLocal(facts);
  await warn(world, facts);
  const files = diskFiles(facts.root, () => Promise.resolve(facts.repository));
  const manifests = await readManifests(facts, files);
  const paths = await files.list();
  warnOfSettings(world, facts, paths);
  const { problems, nested } = await findProblems(world, facts, {
    manifests,
    files: { ...files, list: () => Promise.resolve(paths) },
    paths,
  });
  if (json) world.stdout.write(problemsToJson(problems));
  else {
    const files = new Set(
      problems.flatMap(({ places }) => places[0]?.file ?? []),
    );
    world.stdout.write(
      renderProblems(problems, await readTexts(facts.root, files)),
    );
    world.stderr.write(`${count(problems.length, "problem")}\n`);
  }
  if (fix) {
    const fixed = fixManifests(problems, manifests, nested);
    for (const [file, text] of await placed(facts.root, fixed))
      await replaceFile(file, text, `${file}.${world.token()}`);
    world.stderr.write(
      fixed.size === 0
        ? "nothing to fix in manifests\n"
        : `fixed ${count(fixed.size, "manifest")}; now run \`yarn install\`\n`,
    );
  }
  return check && problems.length > 0 ? ExitCode.Bad : ExitCode.Ok;
}

/**
 * Warns about globs of skein.json that match no file. Only this command lists every file anyway; it would take too long
 * in others.
 */
function warnOfSettings(
  { stderr }: AffectedWorld,
  { settings, head }: LocalSurvey,
  paths: readonly string[],
): void {
  for (const { field, glob } of unmatchedSettings(settings, head.graph, paths))
    stderr.write(
      `warning: skein.json: no file matches ${printable(glob)} of "${printable(field)}": correct it, or remove it\n`,
    );
}

/** The maximum number of files that couldn't be parsed and are named. Fixtures of a parser can contain hundreds. */
const MOST_UNPARSED = 3;

function warnOfUnparsed(stderr: Out, files: ReferenceGraph["unparsed"]): void {
  for (const { file, reason } of files.slice(0, MOST_UNPARSED))
    writeWords(
      stderr,
      `warning: ${printable(file)} could not be parsed (${printable(reason)}), so its references may be incomplete\n`,
    );
  const more = files.length - MOST_UNPARSED;
  if (more > 0)
    writeWords(
      stderr,
      `warning: ${count(more, "more file")} could not be parsed, so ${more === 1 ? "its" : "their"} references may be incomplete\n`,
    );
}

interface AuditedFiles {
  readonly manifests: ReadonlyMap<string, ManifestText>;
  readonly files: ProjectFiles;
  readonly paths: readonly string[];
}

async function findProblems(
  { env, stderr }: AffectedWorld,
  facts: LocalSurvey,
  { manifests, files, paths }: AuditedFiles,
): Promise<Found> {
  const graph = await readGraph({
    ...facts,
    files,
    script: undefined,
    cacheDir: cacheDirOf(env, facts.repository),
  });
  if (!graph) return { problems: [], nested: new Map() };
  warnOfUnparsed(stderr, graph.unparsed);
  const bundled = facts.settings.affected.bundlesDependencies.map(nameMatcher);
  const crossings = graph.crossings();
  const nested = await readNested(facts, paths, crossings);
  const sources = await readTexts(facts.root, importingFiles(crossings));
  const problems = audit({
    graph: { crossings: () => crossings },
    root: facts.head.graph.root,
    manifests,
    nested,
    isDevelopment: isDevelopmentFile,
    isBundled: (name) => bundled.some((matches) => matches(name)),
    isTypeOnly: (place) =>
      place.kind === "type" ||
      (IMPORTS.has(place.kind) &&
        isTypeImport(sources.get(place.file) ?? "", place)),
    paths,
  });
  return { problems, nested };
}

interface Found {
  readonly problems: readonly AuditProblem[];
  /** Manifests in folders that aren't workspaces, by folder. */
  readonly nested: ReadonlyMap<string, ManifestText>;
}

/** The kinds of references that may import only types. */
const IMPORTS: ReadonlySet<string> = new Set(["import", "export"]);

/**
 * Returns the files whose imports may be type imports: TypeScript files, and JavaScript files, because Flow's imports
 * look the same.
 */
function importingFiles(crossings: readonly Crossing[]): ReadonlySet<string> {
  return new Set(
    crossings.flatMap(({ kind, file }) =>
      IMPORTS.has(kind) && /\.[cm]?[jt]sx?$/.test(file) ? [file] : [],
    ),
  );
}

/** Reads the manifests of folders that aren't workspaces but contain files with references to other packages. */
async function readNested(
  { root, head }: LocalSurvey,
  paths: readonly string[],
  crossings: readonly Crossing[],
): Promise<Map<string, ManifestText>> {
  const workspaces = new Set(head.packages.map(({ dir }) => dir));
  const all = new Set(
    paths
      .filter((path) => path.endsWith("/package.json"))
      .map((path) => posix.dirname(path)),
  );
  const wanted = new Set<string>();
  for (const { file } of crossings)
    for (
      let dir = posix.dirname(file);
      dir !== "." && !workspaces.has(dir);
      dir = posix.dirname(dir)
    )
      if (all.has(dir)) wanted.add(`${dir}/package.json`);
  const texts = await readTexts(root, wanted);
  return new Map(
    [...texts].map(([path, text]) => [posix.dirname(path), { path, text }]),
  );
}

async function readManifests(
  { head }: LocalSurvey,
  files: Pick<ProjectFiles, "read">,
): Promise<Map<string, ManifestText>> {
  const found = await Promise.all(
    head.packages.map(async ({ name, dir }) => {
      const path = dir === "." ? "package.json" : `${dir}/package.json`;
      const text = (await files.read(path))?.toString("utf8");
      return text === undefined ? [] : [[name, { path, text }] as const];
    }),
  );
  return new Map(found.flat());
}

async function readTexts(
  root: string,
  files: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const file of files) {
    // A symlink has no line to show, and a file may be gone by now. The place is then printed without its line.
    const text = await readRegularText(join(root, file)).catch(() => undefined);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

/**
 * Returns the files to write, with symbolic links resolved.
 * @throws {Failure} if one is outside of the workspace; then none is written
 */
async function placed(
  root: string,
  texts: ReadonlyMap<string, string>,
): Promise<(readonly [file: string, text: string])[]> {
  const top = await realpath(root);
  return Promise.all(
    [...texts].map(async ([path, text]) => {
      const file = await realpath(join(root, path));
      if (!file.startsWith(join(top, sep)))
        throw new Failure("it points outside the workspace", {
          place: { file: path },
        });
      return [file, text] as const;
    }),
  );
}

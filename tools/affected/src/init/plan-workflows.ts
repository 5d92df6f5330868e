import { memberOf, readJson } from "./knowledge/literal.js";
import type { KeptFile, Look, PlannedFile } from "./look.js";
import type { Part } from "./plan-init.js";
import { WORKFLOWS, workflowText, writtenBy } from "./workflow-texts.js";
import type { WorkflowKind, WorkflowOptions } from "./workflow-texts.js";

const FOLDER = ".github/workflows";

const WHY: Readonly<Record<WorkflowKind, string>> = {
  ci: "plans, tests and judges each pull request, each group of the merge queue and each push to the default branch",
  reporter: "shows the verdict of pull requests from forks and of Dependabot",
  metrics: "reports every night how long changes take",
};

/**
 * Decides which workflow files are written, and their names. It leaves files with these names alone if init didn't write
 * them, or if they were changed since.
 * @returns also the file name of the workflow that plans and judges
 */
export function planWorkflows(look: Look): Part & { readonly file: string } {
  const taken = otherNames(look);
  const name = taken.has("CI") ? "Skein" : "CI";
  const { value: nodeVersion, note } = nodeVersionOf(look);
  const options: WorkflowOptions = {
    version: look.version,
    pin: look.pin,
    name,
    defaultBranch: look.defaultBranch,
    inputs: {
      ...(nodeVersion !== undefined && { "node-version": nodeVersion }),
      ...setupOf(look),
      ...cacheOf(look),
    },
  };
  const files: PlannedFile[] = [];
  const kept: KeptFile[] = [];
  let ci = "ci.yml";
  for (const kind of Object.keys(WORKFLOWS) as WorkflowKind[]) {
    const file = fileOf(look, kind);
    const path = `${FOLDER}/${file}`;
    if (kind === "ci") ci = file;
    const before = look.files[path];
    const written = before === undefined ? undefined : writtenBy(before);
    const after = workflowText(kind, options);
    if (before === undefined || written?.isUnchanged === true)
      files.push({ path, before: before, after, why: WHY[kind] });
    else kept.push(keep(path, written?.pin, look));
  }
  const pages =
    "the metrics workflow publishes a dashboard: Settings, Pages, Source: GitHub Actions";
  return {
    files,
    kept,
    notes: [
      ...(note === undefined ? [] : [note]),
      ...otherTests(look).map(
        (path) =>
          `${path} tests pull requests, too: remove from it what ${name} replaces`,
      ),
      pages,
    ],
    file: ci,
  };
}

function keep(path: string, pin: string | undefined, look: Look): KeptFile {
  const isStale = pin !== look.pin;
  return {
    path,
    isStale,
    why: isStale
      ? `it was changed after init wrote it; pin it by ${look.pin} # v${look.version}`
      : "it was changed after init wrote it",
  };
}

/** Returns the plain name if it is free or ours; otherwise one with `skein` in it. */
function fileOf({ files }: Look, kind: WorkflowKind): string {
  const isFree = (name: string) => {
    const text = files[`${FOLDER}/${name}`];
    return text === undefined || writtenBy(text) !== undefined;
  };
  const own = kind === "ci" ? "skein.yml" : `skein-${kind}.yml`;
  const wasOwn = files[`${FOLDER}/${own}`] !== undefined;
  return !wasOwn &&
    isFree(`${kind}.yml`) &&
    files[`${FOLDER}/${kind}.yaml`] === undefined
    ? `${kind}.yml`
    : own;
}

/**
 * Returns the names of workflows that init did not write. They matter because `workflow_run` identifies a workflow only
 * by its name.
 */
function otherNames({ files }: Look): ReadonlySet<string> {
  return new Set(
    Object.entries(files).flatMap(([path, text]) =>
      path.startsWith(`${FOLDER}/`) && writtenBy(text) === undefined
        ? (/^name:\s*["']?(.*?)["']?\s*(?:#.*)?$/m.exec(text)?.[1] ?? [])
        : [],
    ),
  );
}

/** Returns the workflows that init did not write, and that seem to run tests in pull requests. */
function otherTests({ files }: Look): readonly string[] {
  return Object.entries(files).flatMap(([path, text]) =>
    path.startsWith(`${FOLDER}/`) &&
    writtenBy(text) === undefined &&
    /\bpull_request\b/.test(text) &&
    /\b(?:yarn|npm|npx|pnpm)\b.*\b(?:tests?|coverage|jest|vitest|playwright|turbo|nx|lage)\b/.test(
      text,
    )
      ? [path]
      : [],
  );
}

/** Returns the version in .nvmrc or .node-version, if it is a number. */
function nodeVersionOf({ files }: Look): {
  readonly value: string | undefined;
  readonly note?: string;
} {
  const file = [".nvmrc", ".node-version"].find(
    (each) => files[each] !== undefined,
  );
  if (file === undefined) return { value: undefined };
  const value = /^v?(\d+(?:\.\d+){0,2})\s*$/.exec(files[file] ?? "")?.[1];
  return value === undefined
    ? {
        value,
        note: `${file} contains no version number, so the workflow uses its default Node`,
      }
    : { value };
}

/**
 * Returns the folder of Yarn's archives, if it isn't the global one: before Yarn 4, or as .yarnrc.yml sets it. Archives that
 * git tracks need no cache.
 */
function cacheOf({ files, unowned }: Look): Readonly<Record<string, string>> {
  const settings = files[".yarnrc.yml"] ?? "";
  const folder =
    /^cacheFolder:\s*(["']?)(?:\.\/)?([\w.~][\w./~-]*)\1\s*(?:#.*)?$/m.exec(
      settings,
    )?.[2] ?? ".yarn/cache";
  const setting = /^enableGlobalCache:\s*(["']?)(true|false)\1/m.exec(
    settings,
  )?.[2];
  const yarn = /"packageManager"\s*:\s*"yarn@(\d+)/.exec(
    files["package.json"] ?? "",
  )?.[1];
  const isGlobal =
    setting === undefined ? !(Number(yarn ?? 4) < 4) : setting === "true";
  if (unowned.some((path) => path.startsWith(`${folder}/`)))
    return { cache: "" };
  return isGlobal ? {} : { cache: folder };
}

/**
 * Returns a set-up with a build before the tests, if the root has a build and no other tool declares what a test needs.
 */
function setupOf({ packages, files }: Look): Readonly<Record<string, string>> {
  const root = packages.find(({ dir }) => dir === ".");
  const hasOrder =
    ["turbo.json", "turbo.jsonc", "nx.json"].some(
      (path) => files[path] !== undefined,
    ) ||
    Object.keys(files).some((path) => path.startsWith("lage.config.")) ||
    memberOf(readJson(files["skein.json"] ?? ""), "pipeline") !== undefined;
  return root?.scripts["build"] === undefined || hasOrder
    ? {}
    : { setup: "corepack enable && yarn install --immutable && yarn build" };
}

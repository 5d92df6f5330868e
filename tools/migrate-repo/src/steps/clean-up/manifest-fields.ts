import { intersects, validRange } from "semver";
import type { JSONPath } from "jsonc-parser";
import { setInJson } from "@skein/versions";
import { lifecycleNotes } from "./lifecycle.js";
import type { Step, StepContext, StepNote } from "../step.js";
import type { TreeView } from "../../tree/draft.js";
import { fieldsOf, isRecord, textOf } from "./package-files.js";

interface Edit {
  readonly file: string;
  readonly path: JSONPath;
  readonly value: unknown;
  readonly words: string;
}

interface Changes {
  readonly edits: readonly Edit[];
  readonly notes: readonly StepNote[];
}

/** Updates fields of the manifest that describe a separate repository. */
export const manifestFields: Step = {
  id: "manifest-fields",
  async describe(view, context) {
    const { edits, notes } = await decide(view, context);
    if (edits.length + notes.length === 0) return undefined;
    return {
      what: [
        ...edits.map(({ file, words }) => `${file}: ${words}`),
        ...notes.map(({ text }) => text),
      ],
      why: "they describe a separate repository; package managers read some of them only in the root",
    };
  },
  async apply(draft, context) {
    const { edits, notes } = await decide(draft, context);
    for (const { file, path, value } of edits) {
      const text = (await textOf(draft, file)) ?? "{}";
      await draft.write(file, setInJson(text, path, value));
    }
    return notes;
  },
};

async function decide(view: TreeView, context: StepContext): Promise<Changes> {
  const root = (await fieldsOf(view, "")) ?? {};
  const edits: Edit[] = [];
  const notes: StepNote[] = [];
  for (const [index, { to }] of context.placements.entries()) {
    const manifest = await fieldsOf(view, to);
    if (!manifest) continue;
    const file = `${to}/package.json`;
    const edit = (path: JSONPath, value: unknown, words: string) =>
      edits.push({ file, path, value, words });
    if (index === 0 && manifest["name"] !== context.name)
      edit(["name"], context.name, `name -> ${context.name}`);
    decideRepository(manifest, to, context, edit, notes);
    const manager = manifest["packageManager"];
    if (manager !== undefined) {
      edit(["packageManager"], undefined, "remove packageManager");
      notes.push({
        kind: "done",
        text: `${file}: packageManager was ${JSON.stringify(manager)}; the root's holds.`,
      });
    }
    decideEngines(manifest, root, file, notes);
    notes.push(
      ...lifecycleNotes(manifest, file, index === 0 ? context.name : undefined),
    );
    edits.push(...hoistResolutions(manifest, root, context, to, notes));
  }
  return { edits, notes };
}

function decideRepository(
  manifest: Readonly<Record<string, unknown>>,
  to: string,
  { targetSlug }: StepContext,
  edit: (path: JSONPath, value: unknown, words: string) => void,
  notes: StepNote[],
): void {
  if (targetSlug === undefined) {
    if (manifest["repository"] !== undefined)
      notes.push({
        kind: "follow-up",
        text: `${to}/package.json: repository still names the old one, because this workspace has no remote on GitHub.`,
      });
    return;
  }
  const repository = {
    type: "git",
    url: `git+https://github.com/${targetSlug}.git`,
    directory: to,
  };
  if (JSON.stringify(manifest["repository"]) !== JSON.stringify(repository))
    edit(["repository"], repository, `repository -> ${targetSlug}, ${to}`);
  for (const name of ["bugs", "homepage"]) {
    if (manifest[name] !== undefined)
      notes.push({
        kind: "follow-up",
        text: `${to}/package.json: ${name} is ${JSON.stringify(manifest[name])}; see that it still leads somewhere.`,
      });
  }
}

function decideEngines(
  manifest: Readonly<Record<string, unknown>>,
  root: Readonly<Record<string, unknown>>,
  file: string,
  notes: StepNote[],
): void {
  const own = isRecord(manifest["engines"]) ? manifest["engines"] : {};
  const theirs = isRecord(root["engines"]) ? root["engines"] : {};
  for (const [engine, range] of Object.entries(own)) {
    if (["npm", "yarn", "pnpm"].includes(engine)) {
      notes.push({
        kind: "follow-up",
        text: `${file}: engines.${engine} is ${String(range)}; this workspace is installed by Yarn.`,
      });
      continue;
    }
    const other = theirs[engine];
    if (typeof range !== "string" || typeof other !== "string") continue;
    if (validRange(range) === null || validRange(other) === null) continue;
    if (!intersects(range, other))
      notes.push({
        kind: "warning",
        text: `${file}: engines.${engine} is ${range}, and the workspace's ${other}: no version satisfies both.`,
      });
  }
}

/**
 * Moves resolutions to the root, where Yarn reads them. A resolution of a direct dependency can apply to only this
 * package; the others are reported.
 */
function hoistResolutions(
  manifest: Readonly<Record<string, unknown>>,
  root: Readonly<Record<string, unknown>>,
  { name: mainName, placements }: StepContext,
  to: string,
  notes: StepNote[],
): readonly Edit[] {
  const file = `${to}/package.json`;
  const name = to === placements[0]?.to ? mainName : manifest["name"];
  const direct = new Set(
    ["dependencies", "devDependencies", "optionalDependencies"].flatMap(
      (field) => Object.keys(isRecord(manifest[field]) ? manifest[field] : {}),
    ),
  );
  // In npm, `$name` is the range that the package itself has for a dependency.
  const meant = (value: string) =>
    value.startsWith("$")
      ? (rangeIn(manifest, value.slice(1)) ?? value)
      : value;
  const known = isRecord(root["resolutions"]) ? root["resolutions"] : {};
  const edits: Edit[] = [];
  for (const [field, entries] of overridesOf(manifest)) {
    for (const [key, value] of Object.entries(entries)) {
      const scoped = `${String(name)}/${key}`;
      if (
        typeof value === "string" &&
        direct.has(key) &&
        !meant(value).startsWith("$") &&
        known[scoped] === undefined
      )
        edits.push({
          file: "package.json",
          path: ["resolutions", scoped],
          value: meant(value),
          words: `resolutions + ${scoped}: ${meant(value)}`,
        });
      else
        notes.push({
          kind: "follow-up",
          text: `${file}: ${field} has ${key}: ${JSON.stringify(value)}, which Yarn does not read in a workspace; for everybody it would be "resolutions" in the root's package.json.`,
        });
    }
    if (field !== "pnpm.overrides" && field !== "overrides")
      edits.push({
        file,
        path: [field],
        value: undefined,
        words: `remove ${field}`,
      });
  }
  return edits;
}

function rangeIn(
  manifest: Readonly<Record<string, unknown>>,
  ident: string,
): string | undefined {
  for (const field of [
    "dependencies",
    "devDependencies",
    "optionalDependencies",
  ]) {
    const ranges = isRecord(manifest[field]) ? manifest[field] : {};
    const range = ranges[ident];
    if (typeof range === "string") return range;
  }
  return undefined;
}

function overridesOf(
  manifest: Readonly<Record<string, unknown>>,
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const pnpm = isRecord(manifest["pnpm"]) ? manifest["pnpm"] : {};
  return (
    [
      ["resolutions", manifest["resolutions"]],
      ["overrides", manifest["overrides"]],
      ["pnpm.overrides", pnpm["overrides"]],
    ] as const
  ).flatMap(([field, value]) =>
    isRecord(value) ? [[field, value] as const] : [],
  );
}

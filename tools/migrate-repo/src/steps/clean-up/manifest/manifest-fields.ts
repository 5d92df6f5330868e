import { intersects, validRange } from "semver";
import type { JSONPath } from "jsonc-parser";
import { isRecord } from "@skein/reporting/is-record";
import { setInJson } from "@skein/reporting/json-edit";
import { lifecycleNotes } from "./lifecycle.js";
import {
  done,
  followUp,
  stepOf,
  warning,
  type StepContext,
  type StepNote,
} from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { fieldsOf, textOf } from "./package-files.js";
import { recordOf } from "@skein/reporting/json-fields";

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
export const manifestFields = stepOf({
  id: "manifest-fields",
  why: "they describe a separate repository; package managers read some of them only in the root",
  find: decide,
  what: ({ edits, notes }) => [
    ...edits.map(({ file, words }) => `${file}: ${words}`),
    ...notes.map(({ text }) => text),
  ],
  async apply(draft, { edits, notes }) {
    for (const { file, path, value } of edits) {
      const text = (await textOf(draft, file)) ?? "{}";
      await draft.write(file, setInJson(text, path, value));
    }
    return notes;
  },
});

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
      notes.push(
        done(
          `${file}: packageManager was ${JSON.stringify(manager)}; the root's applies.`,
        ),
      );
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
      notes.push(
        followUp(
          `${to}/package.json: repository still names the old one, because this workspace has no remote on GitHub.`,
        ),
      );
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
      notes.push(
        followUp(
          `${to}/package.json: ${name} is ${JSON.stringify(manifest[name])}; check that the address is still valid.`,
        ),
      );
  }
}

function decideEngines(
  manifest: Readonly<Record<string, unknown>>,
  root: Readonly<Record<string, unknown>>,
  file: string,
  notes: StepNote[],
): void {
  const own = recordOf(manifest["engines"]);
  const theirs = recordOf(root["engines"]);
  for (const [engine, range] of Object.entries(own)) {
    if (["npm", "yarn", "pnpm"].includes(engine)) {
      notes.push(
        followUp(
          `${file}: engines.${engine} is ${String(range)}; Yarn installs this workspace.`,
        ),
      );
      continue;
    }
    const other = theirs[engine];
    if (typeof range !== "string" || typeof other !== "string") continue;
    if (validRange(range) === null || validRange(other) === null) continue;
    if (!intersects(range, other))
      notes.push(
        warning(
          `${file}: engines.${engine} is ${range}, and the workspace's ${other}: no version satisfies both.`,
        ),
      );
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
    DIRECT.flatMap((field) => Object.keys(recordOf(manifest[field]))),
  );
  // In npm, `$name` is the range that the package itself has for a dependency.
  const meant = (value: string) =>
    value.startsWith("$")
      ? (rangeIn(manifest, value.slice(1)) ?? value)
      : value;
  const known = recordOf(root["resolutions"]);
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
        notes.push(
          followUp(
            `${file}: ${field} has ${key}: ${JSON.stringify(value)}, which Yarn does not read in a workspace. To apply it to all packages, add it to "resolutions" in the root's package.json.`,
          ),
        );
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
  return DIRECT.map((field) => recordOf(manifest[field])[ident]).find(
    (range) => typeof range === "string",
  );
}

/** The fields with the dependencies that a package installs itself. */
const DIRECT = ["dependencies", "devDependencies", "optionalDependencies"];

function overridesOf(
  manifest: Readonly<Record<string, unknown>>,
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const pnpm = recordOf(manifest["pnpm"]);
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

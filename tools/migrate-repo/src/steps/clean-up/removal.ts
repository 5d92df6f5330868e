import type { JSONPath } from "jsonc-parser";
import { setInJson } from "@skein/reporting/json-edit";
import type { TreeView } from "../../tree/draft.js";
import { stepOf, type Step, type StepContext, type StepNote } from "../step.js";
import {
  contentOf,
  fieldsOf,
  packageFiles,
  textOf,
  type PackageFile,
} from "./manifest/package-files.js";

/** A field of a manifest to remove. */
export interface GoneField {
  readonly manifest: string;
  readonly path: JSONPath;
}

/** A kind of file that is useless or harmful in a folder of a workspace. */
export interface Removal {
  readonly id: string;
  readonly why: string;
  /** Returns whether to remove a file. */
  readonly files: (file: PackageFile) => boolean;
  /** Returns which fields of the package's manifest to remove as well. */
  readonly fields?: (
    manifest: Readonly<Record<string, unknown>>,
  ) => readonly JSONPath[];
  /** Returns notes about the removed files, so that people notice what they relied on. */
  readonly report: (
    files: readonly (PackageFile & { readonly text: string })[],
    fields: readonly { readonly path: JSONPath; readonly value: unknown }[],
  ) => readonly StepNote[];
}

/** Returns a step that removes such files and reports their content. */
export function removalStep(removal: Removal): Step {
  return stepOf({
    id: removal.id,
    why: removal.why,
    find: (view, context) => find(removal, view, context),
    what: ({ files, fields }) => [
      ...(files.length === 0
        ? []
        : [`remove ${files.map(({ path }) => path).join(", ")}`]),
      ...fields.map(
        ({ manifest, path }) => `${manifest}: remove ${path.join(".")}`,
      ),
    ],
    async apply(draft, { files, fields }) {
      const read = await Promise.all(
        files.map(async (file) => ({
          ...file,
          text: await contentOf(draft, file),
        })),
      );
      for (const { path } of files) await draft.remove(path);
      const values = [];
      for (const { manifest, path } of fields) {
        const text = (await textOf(draft, manifest)) ?? "{}";
        values.push({ path, value: valueAt(JSON.parse(text), path) });
        await draft.write(manifest, setInJson(text, path, undefined));
      }
      return removal.report(read, values);
    },
  });
}

/** Returns the paths of those fields that a manifest has at its top. */
export function fieldsAmong(
  names: readonly string[],
  manifest: Readonly<Record<string, unknown>>,
): readonly JSONPath[] {
  return names
    .filter((name) => Object.hasOwn(manifest, name))
    .map((name) => [name]);
}

async function find(
  removal: Removal,
  view: TreeView,
  context: StepContext,
): Promise<{
  readonly files: readonly PackageFile[];
  readonly fields: readonly GoneField[];
}> {
  const files = (await packageFiles(view, context)).filter(removal.files);
  const fields: GoneField[] = [];
  for (const { to } of context.placements) {
    const manifest = await fieldsOf(view, to);
    for (const path of (manifest && removal.fields?.(manifest)) ?? [])
      fields.push({ manifest: `${to}/package.json`, path });
  }
  return { files, fields };
}

function valueAt(value: unknown, path: JSONPath): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null
        ? (at as Record<string, unknown>)[String(key)]
        : undefined,
    value,
  );
}

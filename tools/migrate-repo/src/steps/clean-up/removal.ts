import type { JSONPath } from "jsonc-parser";
import { setInJson } from "@skein/versions";
import type { TreeView } from "../../tree/draft.js";
import type { Step, StepContext, StepNote } from "../step.js";
import {
  fieldsOf,
  packageFiles,
  textOf,
  type PackageFile,
} from "./package-files.js";

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
  const { id, why } = removal;
  return {
    id,
    async describe(view, context) {
      const { files, fields } = await find(removal, view, context);
      if (files.length + fields.length === 0) return undefined;
      return {
        what: [
          ...(files.length === 0
            ? []
            : [`remove ${files.map(({ path }) => path).join(", ")}`]),
          ...fields.map(
            ({ manifest, path }) => `${manifest}: remove ${path.join(".")}`,
          ),
        ],
        why,
      };
    },
    async apply(draft, context) {
      const { files, fields } = await find(removal, draft, context);
      const read = await Promise.all(
        files.map(async (file) => ({
          ...file,
          text: (await draft.content(file))?.toString("utf8") ?? "",
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
  };
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

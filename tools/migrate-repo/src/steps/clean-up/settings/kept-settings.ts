import { stepOf, warning, type StepContext } from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import {
  contentOf,
  packageFiles,
  type PackageFile,
} from "../manifest/package-files.js";

interface Kept {
  readonly names: RegExp;
  /** Returns how the settings may differ here. */
  readonly differs?: (text: string) => string | undefined;
}

/** Settings that tools read from the folder of the current file, or of the package. */
const KEPT: readonly Kept[] = [
  {
    names:
      /^(?:\.gitignore|\.npmignore|\.dockerignore|\.prettierignore|\.eslintignore|LICENSE(?:\.\w+)?|LICENCE(?:\.\w+)?)$/,
  },
  {
    names: /^\.editorconfig$/,
    differs: (text) =>
      /^\s*root\s*=\s*true/im.test(text)
        ? undefined
        : "has no `root = true`, so the workspace's applies too",
  },
  {
    names: /^(?:\.prettierrc(?:\..+)?|prettier\.config\.[cm]?[jt]s)$/,
  },
  {
    names: /^\.eslintrc(?:\..+)?$/,
    differs: (text) =>
      /["']?root["']?\s*:\s*true/.test(text)
        ? undefined
        : "has no `root: true`, so an .eslintrc of the workspace applies too",
  },
  {
    names: /^eslint\.config\.[cm]?[jt]s$/,
    differs: () =>
      "is read if ESLint starts in the package's folder; if it starts in the root, the root's is read",
  },
  {
    names: /^(?:\.nvmrc|\.node-version|\.tool-versions)$/,
    differs: (text) =>
      `requires Node ${text.trim().split("\n")[0] ?? ""}, in this folder only`,
  },
];

/** Reports settings that stay in place and work as in the source. */
export const keptSettings = stepOf({
  id: "kept-settings",
  why: "they are read from their own folder, so the same files are ignored, packed and formatted as before",
  find,
  what: (found) =>
    found.map(({ file, note }) =>
      note === undefined
        ? `keep ${file.path}`
        : `keep ${file.path}, which ${note}`,
    ),
  apply: (_, found) =>
    found.flatMap(({ file, note }) =>
      note === undefined ? [] : [warning(`${file.path} ${note}.`)],
    ),
});

async function find(
  view: TreeView,
  context: StepContext,
): Promise<readonly { file: PackageFile; note: string | undefined }[]> {
  const found = [];
  for (const file of await packageFiles(view, context)) {
    const kept = KEPT.find(({ names }) => names.test(file.inside));
    if (!kept) continue;
    const text = kept.differs ? await contentOf(view, file) : "";
    found.push({ file, note: kept.differs?.(text) });
  }
  return found;
}

import { stepOf, type StepContext } from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { openGitRules } from "./git-rules.js";
import { packageFiles, type PackageFile } from "../manifest/package-files.js";

/** The number of bytes that git checks to tell text from binary (`buffer_is_binary`, FIRST_FEW_BYTES). */
const FIRST_BYTES = 8000;

/**
 * Converts CRLF to LF in files that the attributes mark as text. Git stores those with LF, so a file with CRLF would
 * show as changed in every fresh checkout. This step has its own commit because it touches every line.
 */
export const lineEndings = stepOf({
  id: "line-endings",
  why: "the .gitattributes here mark these as text, which git stores with LF: otherwise they would appear as changed",
  find,
  what: (files) =>
    files.length === 0
      ? []
      : [`CRLF -> LF in ${files.map(({ path }) => path).join(", ")}`],
  async apply(draft, files) {
    for (const file of files) {
      const bytes = await draft.content(file);
      if (bytes)
        await draft.write(
          file.path,
          Buffer.from(
            bytes.toString("latin1").replaceAll("\r\n", "\n"),
            "latin1",
          ),
        );
    }
    return [];
  },
});

async function find(
  view: TreeView,
  context: StepContext,
): Promise<readonly PackageFile[]> {
  const rules = new Map<string, Buffer>();
  for (const file of await view.list("")) {
    if (!/(^|\/)\.gitattributes$/.test(file.path)) continue;
    const bytes = await view.content(file);
    if (bytes && file.mode !== "120000") rules.set(file.path, bytes);
  }
  if (rules.size === 0) return [];
  const files = (await packageFiles(view, context)).filter(({ mode }) =>
    mode.startsWith("100"),
  );
  await using git = await openGitRules(
    context.scratch,
    "eol",
    rules,
    context.env,
  );
  const paths = files.map(({ path }) => path);
  const text = await git.attribute("text", paths);
  const eol = await git.attribute("eol", paths);
  const found: PackageFile[] = [];
  for (const file of files) {
    const value = text.get(file.path);
    // With `text=auto`, git doesn't convert a file that has CRLF in the index.
    const isText =
      value === "set" || (value === undefined && eol.has(file.path));
    if (!isText) continue;
    const bytes = await view.content(file);
    if (bytes?.includes("\r\n") === true && !looksBinary(bytes))
      found.push(file);
  }
  return found;
}

function looksBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, FIRST_BYTES).includes(0);
}

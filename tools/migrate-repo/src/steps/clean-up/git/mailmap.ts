import { count } from "@skein/reporting";
import { stepOf, type StepContext } from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { textOf } from "../manifest/package-files.js";

/** Moves the lines of .mailmap to the root, because git reads only the file at the top. */
export const mailmap = stepOf({
  id: "mailmap",
  why: "git reads .mailmap only at the top of the repository",
  find,
  what: ({ files, lines }) =>
    files.length === 0
      ? []
      : [`.mailmap: + ${count(lines.length, "line")} of ${files.join(", ")}`],
  async apply(draft, { files, lines }) {
    const root = (await textOf(draft, ".mailmap")) ?? "";
    if (lines.length > 0)
      await draft.write(
        ".mailmap",
        `${root === "" || root.endsWith("\n") ? root : `${root}\n`}${lines.join("\n")}\n`,
      );
    for (const path of files) await draft.remove(path);
    return [];
  },
});

async function find(
  view: TreeView,
  { placements }: StepContext,
): Promise<{ readonly files: readonly string[]; readonly lines: string[] }> {
  const root = (await textOf(view, ".mailmap")) ?? "";
  const known = new Set(root.split(/\r?\n/));
  const files: string[] = [];
  const lines: string[] = [];
  for (const { to } of placements) {
    const path = `${to}/.mailmap`;
    const text = await textOf(view, path);
    if (text === undefined) continue;
    files.push(path);
    for (const line of text.split(/\r?\n/)) {
      if (line.trim() === "" || line.startsWith("#") || known.has(line))
        continue;
      known.add(line);
      lines.push(line);
    }
  }
  return { files, lines };
}

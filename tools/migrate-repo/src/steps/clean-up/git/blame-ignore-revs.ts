import { count } from "@skein/reporting";
import { stepOf, warning, type StepContext } from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { textOf } from "../manifest/package-files.js";

const FILE = ".git-blame-ignore-revs";

/**
 * Moves the list of commits that blame ignores to the root, because git reads one list for the repository, and replaces
 * the ids by those of the rewritten commits.
 */
export const blameIgnoreRevs = stepOf({
  id: "blame-ignore-revs",
  why: "blame.ignoreRevsFile and GitHub use the file at the top, and its commits were rewritten",
  find,
  what: (files) =>
    files.length === 0
      ? []
      : [`${FILE}: + those of ${files.join(", ")}, with their new ids`],
  async apply(draft, files, { commits }) {
    const root = (await textOf(draft, FILE)) ?? "";
    const lines: string[] = [];
    let unknown = 0;
    for (const path of files) {
      for (const line of ((await textOf(draft, path)) ?? "").split(/\r?\n/)) {
        const id = /^([0-9a-f]{40}(?:[0-9a-f]{24})?)\b/.exec(line)?.[1];
        const now = id === undefined ? undefined : commits.get(id);
        if (id !== undefined && now === undefined) unknown += 1;
        lines.push(
          id === undefined || now === undefined ? line : line.replace(id, now),
        );
      }
      await draft.remove(path);
    }
    const before = root === "" || root.endsWith("\n") ? root : `${root}\n`;
    await draft.write(FILE, `${before}${lines.join("\n").trimEnd()}\n`);
    return unknown === 0
      ? []
      : [
          warning(
            `${FILE}: ${count(unknown, "id belongs", "ids belong")} to no rewritten commit and did not change.`,
          ),
        ];
  },
});

async function find(
  view: TreeView,
  { placements }: StepContext,
): Promise<readonly string[]> {
  const files = [];
  for (const { to } of placements)
    if (await view.stat(`${to}/${FILE}`)) files.push(`${to}/${FILE}`);
  return files;
}

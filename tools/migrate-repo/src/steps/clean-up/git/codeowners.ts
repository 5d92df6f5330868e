import { count } from "@skein/reporting";
import { codeownersPaths } from "@skein/workspaces";
import { followUp, stepOf, type StepContext } from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { textOf } from "../manifest/package-files.js";

/** Moves the lines of the package's file to the workspace's file, with patterns below the package. */
export const codeowners = stepOf({
  id: "codeowners",
  why: "GitHub reads only the repository's CODEOWNERS",
  find,
  what: ({ files, lines, root }) =>
    files.length === 0
      ? []
      : [
          `${root}: + ${count(lines.length, "line")} of ${files[0] ?? ""}, below the package`,
          `remove ${files.join(", ")}`,
        ],
  async apply(draft, { files, lines, root }) {
    const before = (await textOf(draft, root)) ?? "";
    const gap = before === "" || before.endsWith("\n") ? "" : "\n";
    if (lines.length > 0)
      await draft.write(root, `${before}${gap}${lines.join("\n")}\n`);
    for (const path of files) await draft.remove(path);
    return lines.length === 0
      ? []
      : [
          followUp(
            `${root}: make sure that the owners of the package have write access to this repository; otherwise, GitHub ignores their lines.`,
          ),
        ];
  },
});

async function find(view: TreeView, { placements }: StepContext) {
  const files: string[] = [];
  const lines: string[] = [];
  for (const { to } of placements) {
    let isRead = false;
    for (const place of codeownersPaths) {
      const text = await textOf(view, `${to}/${place}`);
      if (text === undefined) continue;
      files.push(`${to}/${place}`);
      // If there are several files, GitHub uses the first one.
      if (isRead) continue;
      isRead = true;
      lines.push(
        ...text
          .split(/\r?\n/)
          .filter((line) => line.trim() !== "")
          .map((line) => reanchor(line, to)),
      );
    }
  }
  const there = await Promise.all(
    codeownersPaths.map((place) => view.stat(place)),
  );
  const root = codeownersPaths.find((_, index) => there[index]);
  return { files, lines, root: root ?? ".github/CODEOWNERS" };
}

/** Returns a line of CODEOWNERS that matches the same files below a folder. */
export function reanchor(line: string, to: string): string {
  const match = /^(\s*)((?:\\.|[^\s\\])+)(.*)$/.exec(line);
  const [, space = "", pattern = "", owners = ""] = match ?? [];
  if (!match || pattern.startsWith("#") || /^\s*\[/.test(line)) return line;
  const at = `/${to.replace(/[ #]/g, String.raw`\$&`)}`;
  if (pattern === "*") return `${space}${at}/${owners}`;
  if (pattern.startsWith("/")) return space + at + pattern + owners;
  // As in .gitignore, a slash anywhere except at the end anchors a pattern at its folder.
  return pattern.slice(0, -1).includes("/")
    ? `${space}${at}/${pattern}${owners}`
    : `${space}${at}/**/${pattern}${owners}`;
}

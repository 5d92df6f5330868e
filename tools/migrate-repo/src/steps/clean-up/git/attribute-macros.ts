import { stepOf, warning, type StepContext } from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { packageFiles, textOf } from "../manifest/package-files.js";

const MACRO = /^\[attr\](\S+)/;

interface Macros {
  /** Lines for the root's file. */
  readonly hoisted: readonly string[];
  /** The package's attribute files without the macros. */
  readonly files: ReadonlyMap<string, string>;
  /** Macros that the root defines differently. */
  readonly clashes: readonly string[];
}

/**
 * Moves macros to the root's `.gitattributes`, because git ignores macro definitions elsewhere (gitattributes(5),
 * "DEFINING MACRO ATTRIBUTES"). The other rules stay in their files, whose patterns are relative to their own folder.
 */
export const attributeMacros = stepOf({
  id: "attributes",
  why: "git reads macro attributes only from the top-level .gitattributes",
  find,
  what: ({ hoisted, clashes }) => [
    ...hoisted.map((line) => `.gitattributes: + ${line}`),
    ...clashes.map((line) => `${line} stays: the root defines it differently`),
  ],
  async apply(draft, { hoisted, files, clashes }) {
    for (const [path, text] of files) await draft.write(path, text);
    if (hoisted.length > 0) {
      const root = (await textOf(draft, ".gitattributes")) ?? "";
      // At the top of the file, so that every rule below can use them.
      await draft.write(".gitattributes", `${hoisted.join("\n")}\n${root}`);
    }
    return clashes.map((line) =>
      warning(
        `The macro ${line} is defined differently in the root: the root's definition now applies to the package's files.`,
      ),
    );
  },
});

async function find(view: TreeView, context: StepContext): Promise<Macros> {
  const root = (await textOf(view, ".gitattributes")) ?? "";
  const known = new Map(
    root.split(/\r?\n/).flatMap((line) => {
      const name = MACRO.exec(line)?.[1];
      return name === undefined ? [] : [[name, squeeze(line)] as const];
    }),
  );
  const hoisted: string[] = [];
  const clashes: string[] = [];
  const files = new Map<string, string>();
  for (const { path, inside } of await packageFiles(view, context)) {
    // Macros in deeper files had no effect in the source either.
    if (inside !== ".gitattributes") continue;
    const text = (await textOf(view, path)) ?? "";
    const lines = text.split("\n");
    const stay = lines.filter((line) => {
      const name = MACRO.exec(line)?.[1];
      if (name === undefined) return true;
      const there = known.get(name);
      if (there === undefined) {
        hoisted.push(squeeze(line));
        known.set(name, squeeze(line));
      } else if (there !== squeeze(line)) {
        clashes.push(squeeze(line));
        return true;
      }
      return false;
    });
    if (stay.length < lines.length) files.set(path, stay.join("\n"));
  }
  return { hoisted, files, clashes };
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

import { below } from "../../resolve.js";
import type { ReferenceKind } from "../../reference.js";
import type { Collector } from "../positions.js";

/** The files in which programs look for the recipes that they run, by the program. */
const RECIPES: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml", "Taskfile.dist.yml"],
  rake: ["Rakefile"],
};
const PROGRAMS = Object.keys(RECIPES).join("|");
const UP = String.raw`["']?((?:\.\.\/?)+(?:[\w@-][\w.@/-]*)?)["']?`;
/** `make -C ../.. x`, `cd ../.. && make x`. */
const RUNS = new RegExp(
  String.raw`\bg?(?<program>${PROGRAMS})\b[^;&|\n]*?\s(?:-C|-d|--directory|--dir|--working-directory)[ =]*(?<at>${UP})|\b(?:cd|pushd)\s+(?<from>${UP})\s*(?:&&|;)\s*g?(?<then>${PROGRAMS})\b`,
  "g",
);
/** The project's root in a command. */
const TOP = String.raw`["']?\$(?:\(git rev-parse --show-toplevel\)|\{?PROJECT_CWD\}?)["']?`;
/** `make -C $(git rev-parse --show-toplevel) x`, `cd $PROJECT_CWD && make x`. */
const AT_TOP = new RegExp(
  String.raw`\bg?(?<program>${PROGRAMS})\b[^;&|\n]*?\s(?:-C|-d|--directory|--dir|--working-directory)[ =]*${TOP}|\b(?:cd|pushd)\s+${TOP}\s*(?:&&|;)\s*g?(?<then>${PROGRAMS})\b`,
  "g",
);
const HERE = new RegExp(
  String.raw`(?<=^|[;&|]\s*)g?(${PROGRAMS})(?=\s|$)`,
  "g",
);

/**
 * Notes the files of recipes that a script runs in another folder: `make -C ../.. x`.
 * @param isRoot whether the script is one of the root, which packages may call: then those beside it count too
 */
export function addRecipeFiles(
  text: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
  isRoot: boolean,
): void {
  const add = (folder: string, program: string, index: number) => {
    for (const file of RECIPES[program] ?? [])
      found.add(below(folder.replace(/\/$/, ""), file), kind, offset + index);
  };
  for (const { groups = {}, index } of text.matchAll(RUNS)) {
    const { program, at, from, then } = groups;
    add(
      (at ?? from ?? "").replaceAll(/["']/g, ""),
      program ?? then ?? "",
      index,
    );
  }
  for (const { groups = {}, index } of text.matchAll(AT_TOP)) {
    const { program, then } = groups;
    for (const file of RECIPES[program ?? then ?? ""] ?? [])
      found.add(file, "root-path", offset + index);
  }
  if (isRoot)
    for (const { 1: program = "", index } of text.matchAll(HERE))
      add(".", program, index);
}

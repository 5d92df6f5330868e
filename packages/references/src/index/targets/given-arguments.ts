import { posix } from "node:path";
import { addTo, remember } from "@skein/reporting/group-by";
import type { FoundReference } from "../../graph.js";
import { nameAndText } from "../../reference.js";
import { below, isWithin, unfinishedPart } from "../../resolve.js";
import { wordsAt } from "./called-scripts.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { SCRIPT_TEXTS } from "../table/table.js";

/** The arguments that scripts of packages give to programs of the root. */
export interface GivenArguments {
  /**
   * Returns whether a reference of the kind `argument-path` may lead to a folder.
   * @param uses all references of a package to the program; undefined if the package may use it in another way
   */
  mayLeadTo(
    dir: string,
    layer: Layer,
    row: number,
    uses: readonly FoundReference[] | undefined,
  ): boolean;
}

/** Signs with which a shell or another program makes more arguments, or other ones, than the script shows. */
const UNKNOWN = /[$`*?[\]{}%~\n\\]|\b(?:xargs|parallel|foreach|exec|find)\b/;
/** The end of a command. */
const END = /[;&|()<>]/;

/** One script of a manifest. */
interface Script {
  readonly name: string;
  readonly text: string;
  readonly line: number;
}

/** Opens the arguments. The scripts of manifests are read at the first question. */
export function openGivenArguments(
  layers: readonly Layer[],
  layout: Layout,
): GivenArguments {
  let scripts: ReadonlyMap<string, readonly Script[]> | undefined;
  const argumentsIn = remember((uses: readonly FoundReference[]) =>
    givenIn(uses, (scripts ??= readScripts(layers, layout))),
  );
  return {
    mayLeadTo(dir, layer, row, uses) {
      const words = uses && argumentsIn(uses);
      if (!words) return true;
      const folder = layer.table.targetOf(row);
      const begins = unfinishedPart(layer.table.specifierOf(row));
      return [...words].some((word) => {
        const meant = posix.normalize(below(folder, begins + word));
        return isWithin(dir, meant) || isWithin(meant, dir);
      });
    },
  };
}

/** Reads the scripts of all manifests, by the manifest. */
function readScripts(
  layers: readonly Layer[],
  layout: Layout,
): ReadonlyMap<string, readonly Script[]> {
  const scripts = new Map<string, Script[]>();
  for (const word of wordsAt(SCRIPT_TEXTS, layers, layout)) {
    const [name, text] = nameAndText(word.name);
    const file = word.layer.file(word.row);
    addTo(scripts, file, { name, text, line: word.line });
  }
  return scripts;
}

/**
 * Returns the words that a package's scripts may give to a program. These are all words of all its scripts, because a script
 * may call another one with more arguments.
 * @returns undefined if a script may give it other words
 */
function givenIn(
  uses: readonly FoundReference[],
  scripts: ReadonlyMap<string, readonly Script[]>,
): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const { kind, file, line, specifier, partial } of uses) {
    if ((kind !== "script" && kind !== "test-script") || partial)
      return undefined;
    // Scanners add a dot to a path without one, and the folder that the script enters: `cd .. && node tools/x.js`.
    const own = specifier.replace(/^\.\//, "");
    const isWritten = (scripts.get(file) ?? []).some(
      (each) => each.line === line && each.text.includes(own),
    );
    const program = isWritten ? own : posix.basename(own);
    const all = scripts.get(file) ?? [];
    const running = all.filter(
      (each) => each.line === line && each.text.includes(program),
    );
    if (running.length === 0) return undefined;
    if (!running.every(({ text }) => givesKnown(program, text)))
      return undefined;
    for (const { text } of all) {
      if (running.some(({ name }) => callsWithUnknown(name, text)))
        return undefined;
      for (const word of wordsOf(text)) found.add(word);
    }
  }
  return found;
}

/** Returns whether a script calls another one with arguments that aren't known. */
function callsWithUnknown(name: string, script: string): boolean {
  return script
    .split(END)
    .some(
      (command) =>
        UNKNOWN.test(command) &&
        /\b(?:yarn|p?npm|run)\b/.test(command) &&
        command.split(/[\s"':]+/).includes(name),
    );
}

/** Returns whether a script gives a program arguments wherever it names it, and only such that it shows. */
function givesKnown(program: string, script: string): boolean {
  return (
    !UNKNOWN.test(script) &&
    script
      .split(program)
      .slice(1)
      .every((after) => {
        // The program's name goes on (`./build` of `./build.js`).
        const [command = ""] = after.replace(/^[^\s"';&|()<>]*/, "").split(END);
        return wordsOf(command).length > 0;
      })
  );
}

/** Returns the words of a command, and the values in `--package=x` and `-px`. */
function wordsOf(command: string): readonly string[] {
  return command
    .split(/[\s"';&|()<>]+/)
    .filter((word) => word !== "")
    .flatMap((word) => {
      const [, long, short] = /^[^=]+=(.+)$|^-\w(.+)$/.exec(word) ?? [];
      return [word, long, short].filter((each) => each !== undefined);
    });
}

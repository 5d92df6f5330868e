import type { Collector } from "../positions.js";
import { addProgram, addProgramsOfShell } from "./script-calls.js";
import { blank } from "../wild.js";

/** Longer texts are data. */
const LONGEST = 200_000;

/** A word before a command: Make's signs, an instruction of a Dockerfile, a word of the shell. */
const BEFORE =
  /^[ \t]*(?:[@-]+|RUN|CMD|ENTRYPOINT|if|elif|while|until|then|do|else|!|-)[ \t]*/gm;
/** The first line of a shell script. */
const SHEBANG = /^#!.*\b(?:ba|z|da|k)?sh\b/;

/** Returns whether a text without a known ending is a shell script. */
export function isShellScript(text: string): boolean {
  return SHEBANG.test(text);
}

/** Notes the programs that a shell script or the recipes of a Makefile start; a workspace may provide one of them. */
export function addShellPrograms(text: string, found: Collector): void {
  if (text.length > LONGEST) return;
  addProgramsOfShell(text.replaceAll(BEFORE, blank), found);
}

/** A field whose value is a command. */
const FIELD =
  /\b(?:commands?|cmds?|run|exec|local|script|entrypoint|\w+Command)["']?\s*[:=]\s*(?:\[\s*)?["']?([a-z][\w.-]*)(?=[ \t"',\]]|$)/gm;
/** Commands of lint-staged, which has them by patterns of files. */
const BY_PATTERN =
  /["'][^"'\n:]*\*[^"'\n:]*["']\s*:\s*(?:\[\s*)?["']([a-z][\w.-]*)(?=[\s"'])/g;
/** A list of commands in YAML. */
const LISTS = /^[ \t-]*(?:cmds|commands|(?:before_)?script|run)\s*:\s*$/m;
const ITEM = /^[ \t]*-[ \t]+["']?([a-z][\w.-]*)(?=[ \t]|["']?$)/gm;

/** Notes the programs that settings in JSON, YAML or TOML start. */
export function addProgramsInSettings(text: string, found: Collector): void {
  if (text.length > LONGEST) return;
  const forms = [
    ...(/ommand|cmd|run|exec|local|script|entrypoint/.test(text)
      ? [FIELD, ...(LISTS.test(text) ? [ITEM] : [])]
      : []),
    ...(text.includes("*") ? [BY_PATTERN] : []),
  ];
  for (const form of forms)
    for (const { 0: whole, 1: program = "", index } of text.matchAll(form))
      addProgram(program, index + whole.length - program.length, found);
}

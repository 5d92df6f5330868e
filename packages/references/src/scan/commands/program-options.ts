import {
  FIELD_OF_PROGRAM_OPTION,
  LOADED_BY_OPTION,
  namesIn,
} from "@skein/known-tools";

/** A word of a command, or a sign that ends one. An option's value may follow `=`. */
const TOKEN = /[;&|\n]|[^\s"'`;&|()<>=,]+/g;
const NAME = /^@?\w[\w./@-]*$/;

const OPTIONS = [...FIELD_OF_PROGRAM_OPTION.keys(), ...LOADED_BY_OPTION.keys()];
const programOf = (option: string) => option.slice(0, option.indexOf(" "));
const PROGRAMS: ReadonlySet<string> = new Set(OPTIONS.map(programOf));
const ANY = new RegExp(`\\b(?:${[...PROGRAMS].join("|")})\\s`);

/** A package that a command loads, with the position of the word that names it. */
export interface LoadedByOption {
  readonly name: string;
  readonly index: number;
}

/** Finds the packages that options of one program name or imply: `mocha -R x`, `vitest --coverage`. */
export function* loadedByOptions(command: string): Iterable<LoadedByOption> {
  if (!ANY.test(command)) return;
  let program = "";
  let field: string | undefined;
  for (const { 0: word, index } of command.matchAll(TOKEN)) {
    if (field !== undefined && NAME.test(word))
      for (const name of namesIn(field, word)) yield { name, index };
    const last = word.slice(word.lastIndexOf("/") + 1);
    if (/^[;&|\n]$/.test(word)) program = "";
    else if (PROGRAMS.has(last) && field === undefined) program = last;
    const option = `${program} ${word}`;
    field = FIELD_OF_PROGRAM_OPTION.get(option);
    for (const name of LOADED_BY_OPTION.get(option) ?? [])
      yield { name, index };
  }
}

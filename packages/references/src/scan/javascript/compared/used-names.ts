/** The program starts commands, or threads. */
const STARTS =
  /(?:\bfrom|\brequire\s*\(|\bimport\s*\()\s*["'](?:node:)?(?:child_process|worker_threads|execa|zx|cross-spawn|nano-spawn|tinyexec|shelljs|bun|@actions\/exec)\b/;
/** A command, which another file may start, for a package whose name is a variable: `["workspace", name]`, `--filter=${name}`. */
const SELECTS =
  /(?<![\w$])(?:workspace|--(?:filter|scope|workspace|projects?)|-[wF])(?:[\s=]+["']?\$\{|=?["'`]\s*[,+]\s*[A-Za-z_$])/;
/** A template that zx, Bun or execa runs as a command. */
const SHELL = /(?<![\w$.])\$(?:\([^()]*\))?`[^`]*\$\{/;

/** Functions that load or find the module that an argument names. */
export const LOADS = String.raw`(?:[\w$]*Require|_*require|__non_webpack_require__)(?:\.resolve)?|import(?:\.meta\.resolve)?|(?:import|require|resolve)(?:From|Cwd|Module|Package)\w*|resolve\.sync|(?:\w+L|l)oadModule|(?:dynamic|lazy|ts)Import|jiti`;
/** Functions that open the file or the folder that an argument names. */
const OPENS = String.raw`(?:read(?:dir|er|link)?|open(?:dir|er)?|load(?:able|ed|er)?|copy(?:file)?|l?stat|exists|access)(?:[A-Z\d_$]\w*)?|glob(?:Sync|by)?`;
/** The arguments of a call up to its end, or their beginning if they are long or contain many calls. */
const ARGUMENTS = String.raw`\(((?:[^()]|\((?:[^()]|\([^()]{0,200}\)){0,200}\)){0,300})`;
/** Parts of arguments that aren't variables: strings, functions, the place of the file, comments. */
const NO_VARIABLE =
  /\/\*[^*]*\*\/|"[^"]*"|'[^']*'|\b(?:__dirname|import\.meta\.\w+)\b|[\w$.]+(?=\()|[{,]\s*\w+\s*:/g;
/** A function that Node makes for loading modules. */
const MADE = /\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:\w+\.)?createRequire\(/g;

/**
 * Returns whether a program may use a name that it has compared: it starts commands, or opens what a variable names.
 * @param text the program
 * @param variable with which it compares; a program that loads no module whose name is computed can only open this one
 */
export function usesNames(text: string, variable = ""): boolean {
  return (
    startsCommands(text) ||
    SELECTS.test(text) ||
    loadsNames(text) ||
    calls(OPENS, text).some((args) => args.includes(variable))
  );
}

/** Returns whether a program starts commands or threads. */
export function startsCommands(text: string): boolean {
  return STARTS.test(text) || SHELL.test(text);
}

/** Returns whether a program loads a module whose name is computed. */
export function loadsNames(text: string): boolean {
  const made = Array.from(text.matchAll(MADE), ([, name = ""]) =>
    name.replaceAll("$", String.raw`\$`),
  ).map((name) => String.raw`|${name}(?:\.resolve)?`);
  return calls(LOADS + made.join(""), text).length > 0;
}

/** Returns the arguments of the calls of some functions that contain variables. */
function calls(functions: string, text: string): readonly string[] {
  return Array.from(
    text.matchAll(
      new RegExp(String.raw`(?<![\w$])(?:${functions})${ARGUMENTS}`, "g"),
    ),
    ([, args = ""]) => args,
  ).filter((args) => /[A-Za-z_$]/.test(args.replaceAll(NO_VARIABLE, "")));
}

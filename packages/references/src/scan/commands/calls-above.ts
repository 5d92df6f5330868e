import type { Collector } from "../positions.js";

/** Stands for a folder that is probably the project's, by the name of a variable. */
export const PERHAPS_ROOT = "/";
/** Names of variables with the project's folder. */
export const NAMES_ROOT = /root|project_?cwd|repo/i;

/**
 * `cd ../..`, `cd "$(dirname "$0")/../.."`, `cd $ROOT`, `cd $(git rev-parse --show-toplevel)`: the folder to which a shell changes,
 * if it only goes up, or the command or the variable that makes it.
 */
const CHANGES =
  /\b(?:cd|pushd)[ \t]+(?:(?:"?\$[^\n;&|]*?\/)?["']?((?:\.\.\/)*\.\.)\/?["']*|["']?\$[{(]?([^\n;&|"'/]+?)[)}]?["']?\/?)?(?=[ \t]*(?:[;&|)\r\n]|$))|\b(?:cd|pushd)[ \t]/gm;
/** A package manager that runs a script, with the workspace or the folder in which it does. */
const RUNS =
  /\b(?:yarn|jlpm|npm|pnpm|run-[sp]|npm-run-all2?)[ \t]+(?:workspace[ \t]+(@?[\w./-]+)[ \t]+|(?:--cwd|--prefix|--dir|-C)[ \t=]+["']?(?:((?:\.\.\/)*\.\.)\/?|\$\{?(\w+)\}?)["']?[ \t]+)?((?:-\S+[ \t]+)*(?:run[ \t]+)?(?:-\S+[ \t]+)*)([A-Za-z][\w:.-]*)/g;
/** Commands of package managers, which run no script of this name. */
const NO_SCRIPT =
  /^(?:workspaces?|exec|dlx|node|install|ci|add|up|link|init|create|publish|pack|config|cache|info|view|version|why|bin)$/;
const OF_ROOT = /(?:^|\s)(?:-T|--top-level|-w|--workspace-root)\s/;

/**
 * Notes the scripts that the commands of a shell run in a folder above: `cd ../..`, and `yarn x` in another line. If the folder is
 * the project's, they are scripts of the root.
 * @param offset of the text
 * @param here the folder of the commands before a change: "." in a file, which may be the root's; undefined in a manifest
 */
export function addCallsAbove(
  text: string,
  found: Collector,
  offset = 0,
  here: "." | undefined = ".",
): void {
  const changes = Array.from(text.matchAll(CHANGES));
  addRuns(text.slice(0, changes[0]?.index), here, offset, found);
  changes.forEach(({ 0: change, 1: above, 2: made = "", index }, i) => {
    const start = index + change.length;
    const commands = text.slice(start, changes[i + 1]?.index);
    const isRoot = NAMES_ROOT.test(made) || made.includes("show-toplevel");
    addRuns(
      commands,
      above ?? (isRoot ? PERHAPS_ROOT : undefined),
      offset + start,
      found,
    );
  });
}

/**
 * Notes the scripts that package managers run in the root, or in a folder above.
 * @param folder in which the commands run, from the package's folder or the file's, or `PERHAPS_ROOT`; undefined for another one
 * @param offset where the commands begin
 */
export function addRuns(
  commands: string,
  folder: string | undefined,
  offset: number,
  found: Collector,
): void {
  for (const match of commands.matchAll(RUNS)) {
    const [command, workspace, own, variable = "", options = "", name = ""] =
      match;
    const { index } = match;
    const named = NAMES_ROOT.test(variable) ? PERHAPS_ROOT : folder;
    const at = OF_ROOT.test(` ${options}`) ? "-T" : (own ?? named);
    const start = offset + index + command.length - name.length;
    if (workspace !== undefined) {
      found.add(`-W ${workspace} ${name}`, "script-call", start);
      continue;
    }
    if (at === "." && NO_SCRIPT.test(name)) continue;
    // Yarn runs such a script in any folder.
    if (/\w:\w/.test(name)) found.add(name, "script-call", start);
    if (at !== undefined)
      found.add(
        at === "-T" ? `-T ${name}` : `-C ${at} ${name}`,
        "script-call",
        start,
      );
  }
}

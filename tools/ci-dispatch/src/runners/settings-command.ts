/** Commands that change the folder or the environment of the commands after them. */
const CHANGES_SHELL = /^(?:cd|export|unset)\s|^\w+=\S*$/;

/**
 * Returns the command that shows the settings of the program at the end of a script, without the script's earlier
 * commands. Pure.
 * @returns undefined if the script isn't a plain sequence of commands, for example because of a pipe
 */
export function settingsCommand(command: string): string | undefined {
  const parts = commandsInRow(command);
  const last = parts?.at(-1);
  if (!parts || last === undefined) return undefined;
  const before = parts.slice(0, -1).filter((part) => CHANGES_SHELL.test(part));
  return [...before, last].join(" && ");
}

/** Splits a script into commands at `&&`, `;` and line ends outside of quotes; undefined for other operators. */
function commandsInRow(script: string): readonly string[] | undefined {
  const parts: string[] = [];
  let part = "";
  const tokens =
    /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|&&|\|\||[;&|\n()`]|[^'"\\&|;\n()`]+/gsy;
  let read = 0;
  for (const [token] of script.matchAll(tokens)) {
    read += token.length;
    if (["&&", ";", "\n"].includes(token)) {
      parts.push(part.trim());
      part = "";
    } else if (/^(?:\|\||[&|()`])$/.test(token)) return undefined;
    else part += token;
  }
  // A quote isn't closed.
  if (read < script.length) return undefined;
  return [...parts, part.trim()];
}

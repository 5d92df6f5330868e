/** The properties of a workflow command beside its message. */
export type CommandProperties = Readonly<
  Record<string, string | number | undefined>
>;

/**
 * Returns the message of a workflow command: `%`, CR and LF escaped, as @actions/core does, so that it stays one
 * command.
 */
function escapeCommandData(text: string): string {
  return text
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A");
}

/** Returns a property of a workflow command: `:` and `,` would end it, so they are escaped too. */
function escapeCommandProperty(text: string): string {
  return escapeCommandData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * One workflow command as a line of its own, with its newline: `::error file=a.ts,line=3::words`. Every value is
 * untrusted and escaped; a property that is undefined is left out.
 * @param command `error`, `warning`, `notice`, `group`, `endgroup`, `add-mask`, …
 */
export function workflowCommand(
  command: string,
  message = "",
  properties: CommandProperties = {},
): string {
  const given = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeCommandProperty(String(value))}`);
  const list = given.length === 0 ? "" : ` ${given.join(",")}`;
  return `::${command}${list}::${escapeCommandData(message)}\n`;
}

/**
 * Returns untrusted output (a script's log) in which no line is a command to the engine that shows it: a zero-width
 * space stands before `::` and `##[` (GitHub's runner, which also finds commands behind leading white space), before
 * `section_start:` (GitLab), and before `---`, `+++`, `~~~` and `^^^` with a space behind (Buildkite).
 */
export function inertLog(text: string): string {
  return text
    .replace(/^(\s*)(::|##\[)/gm, "$1\u200b$2")
    .replace(
      /^(section_(?:start|end):|(?:---|\+\+\+|~~~|\^\^\^) )/gm,
      "\u200b$1",
    );
}

/**
 * One entry of the file GITHUB_OUTPUT or GITHUB_ENV in its heredoc form, which any value survives.
 * @param delimiter a word no value can guess, such as a random UUID; made anew for each run
 * @throws RangeError where the name or the value could break out of the entry
 */
export function outputEntry(
  name: string,
  value: string,
  delimiter: string,
): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name))
    throw new RangeError(`not a name of an output: ${JSON.stringify(name)}`);
  if (!/^[\w-]+$/.test(delimiter) || value.includes(delimiter))
    throw new RangeError(`the value of output ${name} holds its delimiter`);
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}

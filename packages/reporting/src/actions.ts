/** The properties of a workflow command, besides its message. */
export type CommandProperties = Readonly<
  Record<string, string | number | undefined>
>;

/** Escapes the message of a workflow command: `%`, CR and LF, as @actions/core does, so that it stays one command. */
function escapeCommandData(text: string): string {
  return text
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A");
}

/** Escapes a property of a workflow command, including `:` and `,`, which would end it. */
function escapeCommandProperty(text: string): string {
  return escapeCommandData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * Returns one workflow command as a line, with its newline: `::error file=a.ts,line=3::words`. Every value is untrusted
 * and escaped. Undefined properties are omitted.
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
 * Makes untrusted output (a script's log) safe: no line is a command to the engine that shows it. It inserts a
 * zero-width space before `::` and `##[` (GitHub's runner, which also finds commands after leading white space), before
 * `section_start:` and `section_end:` (GitLab), and before `---`, `+++`, `~~~` and `^^^` followed by a space
 * (Buildkite).
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
 * Returns one entry of the file GITHUB_OUTPUT or GITHUB_ENV in its heredoc form, which supports any value.
 * @param delimiter a word that no value can guess, such as a random UUID; a new one for each run
 * @throws RangeError if the name or the value could break out of the entry
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

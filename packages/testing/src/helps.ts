/** The function of a tool that parses its command line. */
type ParseCli = (world: {
  readonly argv: readonly string[];
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}) => unknown;

/**
 * Returns the help of a tool and of each of its verbs.
 * @returns the texts by verb: "" for the tool, `metrics report`
 */
export function helpOfEachVerb(parseCli: ParseCli): Map<string, string> {
  const stdoutOf = (argv: readonly string[]) => {
    let stdout = "";
    const stream = { write: (text: string) => (stdout += text) };
    parseCli({ argv, stdout: stream, stderr: stream });
    return stdout;
  };
  // The completion script contains the path of every verb.
  const verbs = stdoutOf(["completion", "bash"]).matchAll(/^ {4}'([^']*)'\)/gm);
  return new Map(
    Array.from(verbs, ([, verb = ""]) => [
      verb,
      stdoutOf([...verb.split(" ").filter(Boolean), "--help"]),
    ]),
  );
}

/**
 * Returns the faults of a help: lines over 80 columns, no exit codes, and many options without headings.
 * @param widthOf the columns of a line in a terminal
 */
export function faultsOfHelp(
  help: string,
  widthOf: (line: string) => number,
): readonly string[] {
  const options = help.match(/^ {2}-/gm) ?? [];
  return [
    ...help.split("\n").filter((line) => widthOf(line) > 80),
    ...(/\n\nExit codes:\n {2}0 {2}/.test(help) ? [] : ["no exit codes"]),
    ...(options.length > 10 && help.includes("\nOptions:\n")
      ? ["many options without headings"]
      : []),
  ];
}

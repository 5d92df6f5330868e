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

import { describe, expect, test } from "@jest/globals";
import { Command as Program } from "commander";
import { examples, parseCommandLine } from "./command-line.js";
import type { Declare } from "./command-line.js";

interface Greet {
  readonly kind: "greet";
  readonly who: string;
}

const greet: Declare<Greet> = (program, emit) => {
  program
    .command("greet")
    .description("say hello")
    .argument("<who>", "a name")
    .addHelpText("after", examples("hello greet world"))
    .action((who: string) => emit({ kind: "greet", who }));
};

function parse(...argv: string[]) {
  let stdout = "";
  let stderr = "";
  const result = parseCommandLine<Greet>(
    { program: new Program("hello"), module: import.meta.url },
    [greet],
    {
      argv,
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
    },
  );
  return { result, stdout, stderr };
}

describe("a command line", () => {
  test("becomes a command", () => {
    expect(parse("greet", "world")).toEqual({
      result: { kind: "greet", who: "world" },
      stdout: "",
      stderr: "",
    });
  });

  test("that asks for help gets it on stdout, with examples, and ends well", () => {
    expect(parse("greet", "--help")).toEqual({
      result: 0,
      stdout: `Usage: hello greet [options] <who>

say hello

Arguments:
  who         a name

Options:
  -h, --help  display help for command

Examples:
  $ hello greet world
`,
      stderr: "",
    });
  });

  test("that asks for the version gets that of package.json", () => {
    expect(parse("--version")).toEqual({
      result: 0,
      stdout: "0.1.0\n",
      stderr: "",
    });
  });

  test("that is wrong is told so on stderr", () => {
    expect(parse("greet")).toEqual({
      result: 2,
      stdout: "",
      stderr: "error: missing required argument 'who'\n",
    });
    expect(parse("gret", "world")).toEqual({
      result: 2,
      stdout: "",
      stderr: "error: unknown command 'gret'\n(Did you mean greet?)\n",
    });
  });

  test("that is empty gets the help on stderr", () => {
    const { result, stdout, stderr } = parse();
    expect({ result, stdout }).toEqual({ result: 2, stdout: "" });
    expect(stderr).toContain("Usage: hello [options] [command]");
  });
});

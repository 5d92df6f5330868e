import { execFileSync } from "node:child_process";
import { describe, expect, test } from "@jest/globals";
import { Option } from "commander";
import { parseCommandLine, Program, type Declare } from "./command-line.js";

interface Greet {
  readonly kind: "greet";
  readonly who: string;
}

const greet: Declare<Greet> = (program, emit) => {
  program
    .command("greet")
    .description("say hello")
    .argument("<who>", "a name")
    .option("--loud", "shout")
    .addOption(
      new Option("--tone <how>", "how to say it").choices(["kind", "rude"]),
    )
    .examples("hello greet world")
    .action((who: string) => emit({ kind: "greet", who }));
};

function parse(...argv: string[]) {
  let stdout = "";
  let stderr = "";
  const result = parseCommandLine<Greet>(
    {
      program: new Program("hello"),
      module: import.meta.url,
      groups: { "Say something:": ["greet"] },
      exitCodes: { "": { 0: "done", 3: "nobody listens" } },
    },
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

  test("wraps its help at words in a narrow terminal, also beside long names", () => {
    const program = new Program("hello")
      .configureOutput({ getOutHelpWidth: () => 60 })
      .option(
        "--as-a-very-long-option-name <value>",
        "a text that is too long for the rest of one line",
      );
    let stdout = "";
    parseCommandLine<Greet>(
      {
        program,
        module: import.meta.url,
        groups: {},
        exitCodes: {
          "": { 3: "a meaning that is too long for one line of this terminal" },
        },
      },
      [],
      {
        argv: ["--help"],
        stdout: { write: (text) => (stdout += text) },
        stderr: { write: () => true },
      },
    );
    expect(stdout).toContain("text that is too");
    expect(stdout.split("\n").filter((line) => line.length > 60)).toEqual([]);
  });

  test("with --help prints the help and its examples on stdout, and succeeds", () => {
    expect(parse("greet", "--help")).toEqual({
      result: 0,
      stdout: `Usage: hello greet [options] <who>

say hello

Arguments:
  who           a name

Options:
  --loud        shout
  --tone <how>  how to say it (choices: "kind", "rude")
  -h, --help    print this help

Examples:
  $ hello greet world

Exit codes:
  0  done
  3  nobody listens
`,
      stderr: "",
    });
  });

  test("with --version prints the version of package.json", () => {
    expect(parse("--version")).toEqual({
      result: 0,
      stdout: "0.1.0\n",
      stderr: "",
    });
  });

  test("of the program lists commands in groups", () => {
    expect(parse("--help").stdout).toContain(`
Say something:
  greet [options] <who>  say hello

Other commands:
  completion <shell>     print a completion script for your shell
  help [command]         print the help of a command

Exit codes:
`);
  });

  test.each([
    [
      ["greet"],
      "hello: <who> is missing\nhint: `hello greet --help` shows its options\n",
    ],
    [
      ["gret", "world"],
      'hello: there is no command "gret"\nhint: did you mean greet? `hello --help` shows every command\n',
    ],
    [
      ["help", "nosuch"],
      'hello: there is no command "nosuch"\nhint: `hello --help` shows every command\n',
    ],
    [
      ["greet", "a", "--lod"],
      "hello: there is no option --lod\nhint: did you mean --loud? `hello greet --help` shows its options\n",
    ],
    [
      ["greet", "a", "--fond"],
      "hello: there is no option --fond\nhint: `hello greet --help` shows its options\n",
    ],
    [
      ["greet", "a", "--tone", "\u001b[31m"],
      'hello: --tone can\'t be "\\u001b[31m"; the choices are kind, rude\nhint: `hello greet --help` shows its options\n',
    ],
    [
      ["greet", "a", "--tone"],
      "hello: --tone has no value\nhint: `hello greet --help` shows its options\n",
    ],
    [
      ["greet", "a", "b"],
      "hello: greet takes 1 argument, not 2\nhint: `hello greet --help` shows its options\n",
    ],
    [
      ["completion", "tcsh"],
      'hello: <shell> can\'t be "tcsh"; the choices are bash, zsh, fish\nhint: `hello completion --help` shows its options\n',
    ],
  ])("with a mistake is refused on stderr: %j", (argv, stderr) => {
    expect(parse(...argv)).toEqual({ result: 2, stdout: "", stderr });
  });

  test("completes its verbs, options and choices", () => {
    const { result, stdout } = parse("completion", "bash");
    expect(result).toBe(0);
    const complete = (...words: string[]) =>
      execFileSync(
        "bash",
        [
          "-c",
          `eval "$1"; COMP_WORDS=("\${@:2}"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _hello; echo "\${COMPREPLY[*]}"`,
          ...["bash", stdout, "hello", ...words],
        ],
        { encoding: "utf8" },
      ).trim();
    expect(complete("g")).toBe("greet");
    expect(complete("")).toBe("greet completion --version --help");
    expect(complete("greet", "--t")).toBe("--tone");
    expect(complete("greet", "--tone", "r")).toBe("rude");
    expect(complete("completion", "")).toBe("bash zsh fish --help");
    expect(parse("completion", "zsh").stdout).toContain(stdout);
    expect(parse("completion", "fish").stdout).toContain(
      "complete -c hello -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish' -d 'the shell'\n",
    );
    expect(parse("completion", "fish").stdout).toContain(
      "complete -c hello -n '__fish_seen_subcommand_from greet' -l tone -x -a 'kind rude' -d 'how to say it'\n",
    );
    expect(parse("completion", "tcsh").stderr).toContain(
      "the choices are bash, zsh, fish",
    );
  });

  test.each([["help"], ["help", "help"], ["help", "--help"]])(
    "%s %s prints the help, and succeeds",
    (...argv) => {
      expect(parse(...argv)).toEqual(parse("--help"));
    },
  );

  test("without words prints the help on stderr", () => {
    const { result, stdout, stderr } = parse();
    expect({ result, stdout }).toEqual({ result: 2, stdout: "" });
    expect(stderr).toContain("Usage: hello [options] [command]");
  });
});

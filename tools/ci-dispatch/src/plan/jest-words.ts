import { isHarmlessCoverage, isHarmlessReporter } from "@skein/runner";

/** What a unit of Jest says of its settings: its script, and the texts of its settings files. */
export interface JestTexts {
  readonly command: string;
  readonly files: readonly string[];
}

/**
 * Finds the settings that judge a whole run among the words of a script and of its settings files. Pure. Nothing is
 * started, so a plan can be made where nothing is installed. Settings that a program computes, or that a preset from the
 * registry holds, are not found: the machine that runs the unit asks Jest itself.
 * @returns their names, in order; https://jestjs.io/docs/configuration says what they do
 */
export function findJudges({ command, files }: JestTexts): readonly string[] {
  const texts = [command, ...files.map(withoutComments)];
  const isSet = (name: string) => texts.some((text) => sets(text, name));
  const hasFlag = (flag: RegExp) => flag.test(command);
  const listed = (name: string) => texts.flatMap((text) => listIn(text, name));
  const covers =
    hasFlag(/\s--(?:coverage|collectCoverage)(?![\w-]|=false)/) ||
    isSet("collectCoverage");
  const rules: readonly [string, boolean][] = [
    ["bail", hasFlag(/\s-b(?!\S)/) || isSet("bail")],
    [
      "coverageReporters",
      covers && !listed("coverageReporters").every(isHarmlessCoverage),
    ],
    ["coverageThreshold", covers && isSet("coverageThreshold")],
    ["globalTeardown", isSet("globalTeardown")],
    ["reporters", !listed("reporters").every(isHarmlessReporter)],
    ["runner", !listed("runner").every((name) => name === "jest-runner")],
    ["testResultsProcessor", isSet("testResultsProcessor")],
    ["testSequencer", isSet("testSequencer")],
  ];
  return rules.filter(([, judges]) => judges).map(([name]) => name);
}

/** Behind a setting's name: it is set to nothing. */
const TO_NOTHING =
  /^["']?\s*[:=]\s*["']?(?:undefined|null|false|0|\{\s*\})["']?(?=[\s,}]|$)/;

/** Whether a text has a setting's name, as a member, a flag or in braces alone, and does not set it to nothing. */
function sets(text: string, name: string): boolean {
  const uses = text.matchAll(
    new RegExp(`(?<![\\w$-])(?:--)?${name}(?![\\w$-])`, "g"),
  );
  return [...uses].some(
    ({ 0: use, index }) => !TO_NOTHING.test(text.slice(index + use.length)),
  );
}

/** The values that a text gives to a setting: those of a list without their options, or one alone. */
function listIn(text: string, name: string): readonly string[] {
  const found = text.matchAll(
    new RegExp(
      String.raw`(?:--${name}[\s=]|(?<![\w$.])${name}["']?\s*:)\s*(\[[^]*?\](?=\s*(?:[,};\n]|$))|["'][^"'\n]*["']|[^\s,"'{}[\]]+)`,
      "g",
    ),
  );
  return [...found].flatMap(([, value = ""]) => {
    if (value === "undefined" || value === "null") return [];
    // Options of a reporter stand in braces.
    const plain = value.replaceAll(/\{[^{}]*\}/g, "");
    const quoted = [...plain.matchAll(/["']([^"'\n]*)["']/g)];
    return quoted.length > 0 ? quoted.map(([, each = ""]) => each) : [plain];
  });
}

/** Comments that begin a line: `jest --init` writes every setting as one. Others may stand in a glob or an address. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/.*$|\/\*[^]*?\*\/)/gm, "");
}

/** Finds the settings file that a script names: what stands behind `--config` or `-c`. Pure. */
export function configOf(command: string): string | undefined {
  const [, , name] =
    /\s(?:--config|-c)[\s=](["']?)([^\s"'{}]+)\1(?=\s|$)/.exec(command) ?? [];
  return name;
}

/** Finds what a settings file takes further settings from: modules that it loads, presets, other settings files. Pure. */
export function loadedBy(text: string): readonly string[] {
  const names = withoutComments(text).matchAll(
    /(?:\brequire(?:\.resolve)?\(\s*|\bfrom\s*|\bimport\s*\(?\s*|\b(?:preset|extends)["']?\s*:\s*)["']([^"'\n]+)["']|["']([^"'\n]*\bjest[.-](?:config|preset|base)[^"'\n]*)["']/g,
  );
  return [
    ...new Set([...names].map(([, loaded, named]) => loaded ?? named ?? "")),
  ];
}

import { isHarmlessCoverage, isHarmlessReporter } from "@skein/runner";

/** The texts of a unit of Jest in which settings may be: its script, and its settings files. */
export interface JestTexts {
  readonly command: string;
  readonly files: readonly string[];
}

/**
 * Finds the settings that judge a whole run in the text of a script and of its settings files. Pure. It starts no
 * program, so a plan needs no installation. It can't find settings that a program computes, or that a preset from the
 * registry contains. For those, the machine that runs the unit asks Jest itself.
 * @returns their names, in order; https://jestjs.io/docs/configuration describes them
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

/** The text after a setting's name that turns it off: undefined, null, false, 0 or {}. */
const TO_NOTHING =
  /^["']?\s*[:=]\s*["']?(?:undefined|null|false|0|\{\s*\})["']?(?=[\s,}]|$)/;

/**
 * Returns whether a text contains a setting's name, as a member, a flag or alone in braces, and doesn't turn it off.
 */
function sets(text: string, name: string): boolean {
  const uses = text.matchAll(
    new RegExp(`(?<![\\w$-])(?:--)?${name}(?![\\w$-])`, "g"),
  );
  return [...uses].some(
    ({ 0: use, index }) => !TO_NOTHING.test(text.slice(index + use.length)),
  );
}

/** Returns the values that a text gives to a setting: the items of a list without their options, or a single value. */
function listIn(text: string, name: string): readonly string[] {
  const found = text.matchAll(
    new RegExp(
      String.raw`(?:--${name}[\s=]|(?<![\w$.])${name}["']?\s*:)\s*(\[[^]*?\](?=\s*(?:[,};\n]|$))|["'][^"'\n]*["']|[^\s,"'{}[\]]+)`,
      "g",
    ),
  );
  return [...found].flatMap(([, value = ""]) => {
    if (value === "undefined" || value === "null") return [];
    // The options of a reporter are in braces.
    const plain = value.replaceAll(/\{[^{}]*\}/g, "");
    const quoted = [...plain.matchAll(/["']([^"'\n]*)["']/g)];
    return quoted.length > 0 ? quoted.map(([, each = ""]) => each) : [plain];
  });
}

/**
 * Removes comments at the beginning of lines: `jest --init` writes every setting as one. Other `//` or `/*` may be part
 * of a glob or an address.
 */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/.*$|\/\*[^]*?\*\/)/gm, "");
}

/** Returns the settings file that a script names after `--config` or `-c`. Pure. */
export function configOf(command: string): string | undefined {
  const [, , name] =
    /\s(?:--config|-c)[\s=](["']?)([^\s"'{}]+)\1(?=\s|$)/.exec(command) ?? [];
  return name;
}

/**
 * Returns the names from which a settings file loads further settings: modules, presets, other settings files. Pure.
 */
export function loadedBy(text: string): readonly string[] {
  const names = withoutComments(text).matchAll(
    /(?:\brequire(?:\.resolve)?\(\s*|\bfrom\s*|\bimport\s*\(?\s*|\b(?:preset|extends)["']?\s*:\s*)["']([^"'\n]+)["']|["']([^"'\n]*\bjest[.-](?:config|preset|base)[^"'\n]*)["']/g,
  );
  return [
    ...new Set([...names].map(([, loaded, named]) => loaded ?? named ?? "")),
  ];
}

import type { SettingsTexts } from "./test-runner.js";

/** Questions about the texts of a unit's settings. */
export interface Words {
  /** Returns whether the script's command matches. */
  readonly hasFlag: (flag: RegExp) => boolean;
  /** Returns whether a text contains a setting and doesn't turn it off. */
  readonly isSet: (name: string) => boolean;
  /** Returns the values that the texts give to a setting. */
  readonly listed: (name: string) => readonly string[];
  /** Returns whether a text, without comments, matches. */
  readonly matches: (pattern: RegExp) => boolean;
}

/** Returns the names of the rules that hold, in order. */
export function namesOf(
  rules: readonly (readonly [string, boolean])[],
): readonly string[] {
  return rules.filter(([, holds]) => holds).map(([name]) => name);
}

/**
 * Opens the text of a script and of its settings files for questions. Pure. It starts no program, so a plan needs no
 * installation. It can't find settings that a program computes, or that a preset from the registry contains. For those,
 * the machine that runs the unit asks the program itself.
 */
export function openWords({ command, files }: SettingsTexts): Words {
  const texts = [command, ...files.map(withoutComments)];
  return {
    hasFlag: (flag) => flag.test(command),
    isSet: (name) => texts.some((text) => sets(text, name)),
    listed: (name) => texts.flatMap((text) => listIn(text, name)),
    matches: (pattern) => texts.some((text) => pattern.test(text)),
  };
}

/** The text after a setting's name that turns it off: undefined, null, false, 0 or {}. */
const TO_NOTHING =
  /^["']?\s*[:=]\s*["']?(?:undefined|null|false|0|\{\s*\})["']?(?=[\s,}]|$)/;

/**
 * Returns whether a text contains a setting's name, as a member, as a flag, or by itself in braces, and doesn't turn it off.
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

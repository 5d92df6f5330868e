/** A script that only runs Jest. */
export interface PlainJest {
  /** The variables that the script sets for Jest. */
  readonly assigned: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

/** Characters without a special meaning for any shell, in a word without quotes. */
const WORD = /[\w./:=@,%+^-]+/y;
/** Quoted text in which nothing is special to Yarn's shell. */
const QUOTED = /'([^'\\]*)'|"([^"$`\\!]*)"/y;
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/** Options that change the output of one run or the tests that it runs. The resulting settings are checked later. */
const OPTIONS = new Set(
  `ci silent verbose color colors no-color no-colors passWithNoTests runInBand json expand errorOnDeprecated cache no-cache
  config rootDir roots outputFile testNamePattern testPathPattern testPathPatterns testPathIgnorePatterns testMatch testTimeout
  testRegex testEnvironment env maxWorkers maxConcurrency seed randomize showSeed useStderr noStackTrace injectGlobals
  runTestsByPath clearMocks resetMocks restoreMocks coverage i c t w e`.split(
    /\s+/,
  ),
);
/** Options of Node that mean the same in every folder. */
const NODE_OPTIONS =
  /^--(?:experimental-vm-modules|no-warnings|enable-source-maps|trace-warnings|trace-deprecation|no-deprecation|max[-_]old[-_]space[-_]size=\d+|stack-trace-limit=\d+|unhandled-rejections=\w+|disable-warning=\w+)$/;
/** Variables that Node, its libraries or the system read once, when a process starts, and that may name files. */
const READ_AT_START =
  /^(?:NODE_(?!ENV$|OPTIONS$|NO_WARNINGS$)|OPENSSL_|SSL_CERT_|LD_|DYLD_)/;

/**
 * Parses a script that only runs Jest, such as `NODE_OPTIONS=--no-warnings jest --ci`. Pure.
 * @param args the arguments for the script, unchanged
 * @returns undefined for any other script, including those that need a shell
 */
export function parsePlainJest(
  command: string,
  args: readonly string[],
): PlainJest | undefined {
  const words = wordsOf(command);
  if (!words) return undefined;
  const at = words.findIndex((word) => !ASSIGNMENT.test(word));
  if (words[at] !== "jest") return undefined;
  const given = [...words.slice(at + 1), ...args];
  if (!given.every(isKnown)) return undefined;
  const assigned = words.slice(0, at).map((word): [string, string] => {
    const [, name = "", value = ""] = ASSIGNMENT.exec(word) ?? [];
    return [name, value];
  });
  return { assigned: Object.fromEntries(assigned), args: given };
}

/**
 * Returns whether one process of Node can serve every package that has these variables, apart from those that name the
 * package. Pure.
 */
export function canShareEnv(env: Readonly<Record<string, string>>): boolean {
  const options = (env["NODE_OPTIONS"] ?? "").split(/\s+/).filter(Boolean);
  return (
    options.every((option) => NODE_OPTIONS.test(option)) &&
    !Object.entries(env).some(
      ([name, value]) =>
        READ_AT_START.test(name) && value !== "" && !value.startsWith("/"),
    )
  );
}

function isKnown(argument: string): boolean {
  if (!argument.startsWith("-")) return true;
  const [, name = ""] = /^--?([\w-]+)(?:=|$)/.exec(argument) ?? [];
  return OPTIONS.has(name);
}

/** Returns the words of a command; undefined if a shell would expand, join or redirect something in it. */
function wordsOf(command: string): readonly string[] | undefined {
  const text = command.trim();
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length;) {
    if (/[ \t]/.test(text[at] ?? "")) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at++;
      continue;
    }
    WORD.lastIndex = QUOTED.lastIndex = at;
    const plain = WORD.exec(text)?.[0];
    const quoted = plain === undefined ? QUOTED.exec(text) : undefined;
    const part = plain ?? quoted?.[1] ?? quoted?.[2];
    if (part === undefined) return undefined;
    word = (word ?? "") + part;
    at += plain?.length ?? quoted?.[0].length ?? 0;
  }
  return word === undefined ? words : [...words, word];
}

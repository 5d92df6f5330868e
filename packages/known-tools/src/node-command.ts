import { toolCalled, toolIn } from "./find-tool.js";
import { isHarmlessCode } from "./inline-code.js";
import type { Token } from "./token.js";
import type { Tool } from "./tool.js";

/**
 * The forms in which Node gets the code of an installed program: `node_modules/.bin/x`, `$(yarn bin x)`,
 * `node_modules/x/cli.js`.
 */
const INSTALLED = [
  /(?:^|[\\/])node_modules[\\/]\.bin[\\/]([\w.-]+?)(?:\.cmd)?$/,
  /^\$\((?:yarn|npm|pnpm) bin ([\w.-]+)\)$/,
  /^\$\((?:yarn|npm|pnpm) bin\)\/([\w.-]+)$/,
  /(?:^|[\\/])node_modules[\\/]((?:@[\w.-]+\/)?\w[\w.-]*)[\\/](?!.*node_modules)/,
];

/**
 * Finds the tool whose program Node runs: `node --inspect-brk node_modules/.bin/jest`.
 * @param rest the words after `node`
 * @returns undefined if Node runs anything else, or loads something before
 */
export function toolOfNode(rest: readonly Token[]): Tool | undefined {
  const at = rest.findIndex(({ text }) => !text.startsWith("-"));
  const loads = rest.slice(0, at).some(({ text }) => LOADS.test(text));
  if (at < 0 || loads) return undefined;
  for (const form of INSTALLED) {
    const name = form.exec(rest[at]?.text ?? "")?.[1];
    if (name !== undefined) return toolCalled(name) ?? toolIn(name);
  }
  return undefined;
}

/**
 * Finds the file that Node runs with plain words at most: `node scripts/build.mjs --watch`.
 * @param rest the words after `node`
 */
export function fileOfNode([file, ...args]: readonly Token[]):
  | string
  | undefined {
  return SOURCE.test(file?.text ?? "") &&
    args.every(({ text }) => PLAIN_WORD.test(text))
    ? file?.text
    : undefined;
}

/**
 * Returns whether Node runs code in the script that does nothing but what it says: `node -p "require('./package.json').version"`.
 * @param rest the words after `node`
 * @param words of the script up to here
 */
export function runsHarmlessCode(
  [option, code, ...args]: readonly Token[],
  words: readonly string[],
): boolean {
  return (
    /^(?:-[ep]|-pe|--eval|--print)$/.test(option?.text ?? "") &&
    code?.isQuoted === true &&
    isHarmlessCode(code.text) &&
    args.every(({ text }) => PLAIN_WORD.test(text)) &&
    !words.some((word) => word.startsWith("NODE_"))
  );
}

/** A source of the project, not an installed program. */
const SOURCE = /^(?!.*node_modules)[\w@./-]+\.[cm]?[jt]s$/;
const PLAIN_WORD = /^[\w=:-]+$/;

/** Options with which Node loads code, or takes it from its arguments. */
const LOADS =
  /^(?:-[a-z]*[repCc]|--(?:require|import|loader|experimental-loader|eval|print|test|run|conditions|env-file).*)$/;

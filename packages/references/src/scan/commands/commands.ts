import { programsWhere } from "@skein/known-tools";
import { blank } from "../wild.js";

/** Programs that run packages' scripts and programs. */
export const RUNNERS = "yarn|jlpm|npm|npx|pnpm|bun|bunx|turbo|nx|lerna|lage|ng";
/** Programs that load the packages that their options name. */
export const LOADERS = [
  "node",
  "ts-node",
  "tsx",
  "semantic-release",
  ...programsWhere(({ loadsByOption }) => loadsByOption === true),
].join("|");

/** A command line in a string: of a server that a test starts, of a child process. */
export const COMMAND_LINE = new RegExp(
  String.raw`^(?:${RUNNERS}|${LOADERS}|cd)\s|(?<![\w./@-])(?:${RUNNERS})\s+\S`,
);

/** Words of a sentence that tells people which command to run. No program has such a name. */
const ADVICE = new RegExp(
  String.raw`\b(?:(?:Run|Use|Try|Execute|Running|Using)|(?:please|to|then|must|should|can|first|by|or)\s+(?:run|use|try|execute|running|using))\b:?\s+["'${"`"}]?(?:${RUNNERS})\b[^&|;\n]*`,
  "g",
);

/** Returns a string without the commands that it tells people to run: `Run "yarn workspace x build" first`. */
export function withoutAdvice(text: string): string {
  return text.replace(ADVICE, blank);
}

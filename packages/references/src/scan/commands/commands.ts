import { programsWhere } from "@skein/known-tools";

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

import { usageFailure } from "../failure.js";
import { nearest } from "../nearest.js";
import { renderFailure } from "../run-cli.js";

/**
 * Converts commander's message about a wrong command line to the form of docs/messages.md: one sentence after the
 * tool's name, and a hint that ends with the help of the verb.
 * @param message commander's message, such as "error: unknown option '--tabel'\n(Did you mean --table?)\n"
 * @param verbs the tool's name, then the verb and its sub-verbs: `["affected", "list"]`
 */
export function usageError(message: string, verbs: readonly string[]): string {
  const [name = ""] = verbs;
  const [, sentence = message, , hint] =
    /^(?:error: )?([\s\S]*?)(\n(?:hint: )?\(?([\s\S]*?)\)?)?$/.exec(
      message.trimEnd(),
    ) ?? [];
  const help = `\`${verbs.join(" ")} --help\` shows ${verbs.length > 1 ? "its options" : "every command"}`;
  const hints =
    hint === undefined || !isSimilar(sentence, hint)
      ? [help]
      : [lowerCase(hint), help];
  return renderFailure(
    name,
    usageFailure(oneSentence(inOurWords(sentence)), {
      hint: message.includes("\nhint: ") ? (hint ?? help) : hints.join(" "),
    }),
  );
}

/** Returns whether a suggestion of commander resembles the word that it replaces. Commander suggests --tool for --foo. */
function isSimilar(sentence: string, hint: string): boolean {
  const [, word] = /^unknown (?:option|command) '(.*)'$/s.exec(sentence) ?? [];
  const meant = /^Did you mean (?:one of )?(.*)\?$/
    .exec(hint)?.[1]
    ?.split(", ");
  const bare = (name: string) => name.replace(/^-+/, "");
  return (
    word === undefined ||
    meant === undefined ||
    nearest(bare(word), meant.map(bare)).length > 0
  );
}

/** Commander's sentences, and ours. */
const SENTENCES: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/^unknown option '(.*)'$/s, "there is no option $1"],
  [/^unknown command '(.*)'$/s, 'there is no command "$1"'],
  [/^option '(?:-\w, )?(--[\w-]+)[^']*' argument missing$/, "$1 has no value"],
  [
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\./s,
    '$1 can\'t be "$2".',
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*?)'\./s,
    '<$2> can\'t be "$1".',
  ],
  [/ Allowed choices are (.*)\.$/, " The choices are $1."],
  [/^missing required argument '(.*)'$/, "<$1> is missing"],
  [
    /^too many arguments for '(.*)'\. Expected (\d+ arguments?) but got (\d+)\.$/,
    "$1 takes $2, not $3",
  ],
  [/ takes 0 arguments, not \d+$/, " takes no arguments"],
  [/^required option '(?:-\w, )?(--[\w-]+).*' not specified$/, "$1 is missing"],
];

function inOurWords(sentence: string): string {
  return SENTENCES.reduce(
    (text, [theirs, ours]) => text.replace(theirs, ours),
    sentence,
  );
}

/** Joins sentences: `It is. It must be.` becomes `It is; it must be`. */
function oneSentence(text: string): string {
  return text
    .replace(/\.$/, "")
    .replace(/\. ([A-Z])/g, (_, first: string) => `; ${first.toLowerCase()}`);
}

function lowerCase(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

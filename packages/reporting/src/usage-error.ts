import { usageFailure } from "./failure.js";
import { nearest } from "./nearest.js";
import { renderFailure } from "./run-cli.js";

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
    usageFailure(oneSentence(sentence), {
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

/** Joins sentences: `It is. It must be.` becomes `It is; it must be`. */
function oneSentence(text: string): string {
  return text
    .replace(/\.$/, "")
    .replace(/\. ([A-Z])/g, (_, first: string) => `; ${first.toLowerCase()}`);
}

function lowerCase(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

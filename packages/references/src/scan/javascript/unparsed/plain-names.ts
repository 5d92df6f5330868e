import type { Collector } from "../../positions.js";

/** Code without anything that could change the meaning of a quote: no regular expression, no sum, no escape. */
const CODE = String.raw`[^"'${"`"}/\\+]+`;
const COMMENT = String.raw`\/\/[^\r\n\u2028\u2029]*|\/\*[^]*?\*\/`;
/** Its substitutions contain no strings. */
const TEMPLATE = String.raw`${"`"}(?:[^${"`"}\\$]|\$(?!\{)|\$\{[^"'${"`"}/\\+{}]*\})*${"`"}`;
const TOKEN = new RegExp(
  String.raw`${CODE}|${COMMENT}|"[^"\\\r\n]*"|'[^'\\\r\n]*'|${TEMPLATE}`,
  "y",
);

/** In JSX, quotes may be text; in an HTML comment, too. */
const OTHER_QUOTES = /<\s*\/|\/\s*>|<!--|-->/;

/**
 * Here, a string may be the key of an object, be only compared, or name what is ignored or translated: the parser finds
 * out.
 */
const MAY_BE_UNUSED =
  /["'`]\s*:|[!=]=\s*["'`]@|@[\w./-]+["'`]\s*[!=]=|ignore|exclude|external|\bcase\s*["'`]|(?:With|includes|ndexOf|translations?)\(\s*["'`[]|\]\s*\.(?:includes|\w*ndexOf)\(/i;

/** A regular expression of the name of a package in a scope, or of a file in it. */
export const SCOPED_NAME = String.raw`@[\w.-]+/[\w.-]+(?:/[\w.@-]+)*`;
/** Such a name alone in its string. */
const NAME = new RegExp(`^["'\`](${SCOPED_NAME})["'\`]$`);

/**
 * Notes the strings that are names of packages in a scope, without a parser, in a text that has no other references and in
 * which the meaning of each quote is clear. A property test compares it with the parser.
 * @param from where a statement begins
 * @returns whether the text was such a text; if not, the notes must be discarded
 */
export function addPlainNames(
  text: string,
  from: number,
  found: Collector,
): boolean {
  if (OTHER_QUOTES.test(text) || MAY_BE_UNUSED.test(text)) return false;
  for (let at = from; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return false;
    const name = NAME.exec(token)?.[1];
    if (name !== undefined) found.add(name, "name-string", at + 1);
  }
  return true;
}

/**
 * Depths at which the parser is still far from the end of a thread's stack. It recurses, and a stack that overflows in
 * native code ends the process (SIGSEGV). Measured with oxc-parser 0.150 in a worker thread: brackets end it from 2,700
 * on, arrow functions and conditions in one another from 5,400 on.
 */
const MOST_BRACKETS = 1000;
const MOST_LINKS = 3000;

/**
 * Returns whether code may be nested more deeply than the parser bears. A rough count: strings and comments count as
 * code, so a file may be refused that could be parsed; it is then searched as text.
 * @param code the text that the parser would be given
 */
export function nestsTooDeeply(code: string): boolean {
  let brackets = 0;
  let links = 0;
  for (let at = 0; at < code.length; at++) {
    switch (code.charAt(at)) {
      case "(":
      case "[":
      case "{":
        if (++brackets > MOST_BRACKETS) return true;
        break;
      case "}":
        links = 0;
        if (brackets > 0) brackets--;
        break;
      case ")":
      case "]":
        if (brackets > 0) brackets--;
        break;
      case ";":
      case ",":
        links = 0;
        break;
      case "?": // A condition.
      case ">": // An arrow function, or the end of a tag.
        if (++links > MOST_LINKS) return true;
        break;
      case "/": // The end of an element: `</a>`, `<a/>`.
        if (code[at - 1] === "<" || code[at + 1] === ">")
          links = Math.max(0, links - 2);
        break;
      default:
    }
  }
  return false;
}

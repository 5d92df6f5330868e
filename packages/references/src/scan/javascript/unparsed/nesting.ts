/**
 * Depths at which the parser is still far from the end of a thread's stack. It is recursive, and a stack overflow in native
 * code ends the process (SIGSEGV). Measured with oxc-parser 0.150 in a worker thread: it fails from 2,700 nested brackets, or
 * 5,400 nested arrow functions and conditions.
 */
const MOST_BRACKETS = 1000;
const MOST_LINKS = 3000;

/**
 * Returns whether code may be nested too deeply for the parser. The count is rough: strings and comments count as code, so a
 * file may be rejected that could be parsed. It is then searched as text.
 * @param code the text for the parser
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

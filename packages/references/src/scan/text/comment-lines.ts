import { blank } from "../wild.js";
/** A line that is only a comment in shells, YAML, Python, Go and most other languages: a sign, a space, and words. */
const COMMENT_LINE = /^[ \t]*(?:#|\/\/)(?:[ \t][^\n]*)?$/gm;

/**
 * A comment that programs read: a field (`# yaml-language-server: $schema=../b.json`), an option of shellcheck
 * (`# shellcheck source=../b.sh`), `# @name`, and `# import` of GraphQL. C allows a space in `# include`.
 */
const IS_READ =
  /^[ \t]*(?:#|\/\/)[ \t]*(?:[@$]|[a-z][\w-]*[ \t]*[:=]|(?:shellcheck|import|include)\b)/;

/** The settings of a script in Python are comments (https://peps.python.org/pep-0723). */
const HAS_SETTINGS = /^# \/\/\/ \w/m;

/** Replaces lines of comments by spaces: they mention files and commands, and use none. */
export function withoutCommentLines(text: string): string {
  return HAS_SETTINGS.test(text)
    ? text
    : text.replaceAll(COMMENT_LINE, (line) =>
        IS_READ.test(line) ? line : blank(line),
      );
}

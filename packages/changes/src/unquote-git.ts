const LETTERS: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

/**
 * Decodes a name as git prints it without `-z`. Git puts a name with unusual characters in quotes, with C's escapes and
 * each byte outside of ASCII in octal (git-config(1), core.quotePath).
 * @returns the decoded name, or the text itself if it isn't quoted in this form
 */
export function unquoteGit(text: string): string {
  if (!/^"(?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7]{2})*"$/.test(text)) return text;
  const parts = text
    .slice(1, -1)
    .split(/(\\[0-3][0-7]{2}|\\.)/)
    .map((part) => {
      if (!part.startsWith("\\")) return Buffer.from(part);
      const letter = LETTERS[part.slice(1)];
      return Buffer.from([letter ?? parseInt(part.slice(1), 8)]);
    });
  return Buffer.concat(parts).toString();
}

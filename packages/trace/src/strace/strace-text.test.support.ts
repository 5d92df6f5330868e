/** Returns a string in strace's form: C's escapes, with three octal digits before a digit. */
export function quote(text: string): string {
  return `"${escapeBytes(text, '"')}"`;
}

/** Returns a descriptor with its path, as `-y` writes it. */
export function descriptor(path: string, name = "3"): string {
  return `${name}<${escapeBytes(path, '"<>')}>`;
}

const NAMED: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
  "\v": "\\v",
  "\f": "\\f",
  '"': '\\"',
  "\\": "\\\\",
};

function escapeBytes(text: string, special: string): string {
  const bytes = [...Buffer.from(text, "utf8")];
  return bytes
    .map((byte, index) => {
      const char = String.fromCharCode(byte);
      const named = NAMED[char];
      if (named !== undefined) return named;
      if (byte >= 32 && byte < 127 && !special.includes(char)) return char;
      const next = String.fromCharCode(bytes[index + 1] ?? 0);
      const octal = byte.toString(8);
      return `\\${/\d/.test(next) ? octal.padStart(3, "0") : octal}`;
    })
    .join("");
}

import { hash } from "node:crypto";

/**
 * Returns the SHA-256 of a list of words, in hexadecimal. The length of each word in bytes stands before it, so that no
 * two lists have the same text.
 */
export function digest(words: readonly string[]): string {
  let text = "";
  for (const word of words) text += `${Buffer.byteLength(word)}:${word}`;
  return hash("sha256", text, "hex");
}

import { hash } from "node:crypto";

/**
 * Returns the SHA-256 of a list of words, in hexadecimal. Each word follows its length in bytes, so that no two lists
 * have the same text.
 */
export function digest(words: readonly string[]): string {
  let text = "";
  for (const word of words) text += `${Buffer.byteLength(word)}:${word}`;
  return hash("sha256", text, "hex");
}

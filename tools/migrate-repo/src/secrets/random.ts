import { crc32 } from "node:zlib";

/** Words that people write in place of a token. */
const PRETENCE =
  /example|placeholder|redacted|dummy|fake|sample|your|change.?me|secret|password|x{5}|\*{3}|\.{3}/i;

/**
 * Returns whether a value looks random: enough bits of Shannon entropy per character, and no word of a placeholder.
 * @param least bits per character; a text over 62 characters has at most 5.95, one over hexadecimal digits 4
 */
export function isRandom(value: string, least: number): boolean {
  return entropy(value) >= least && !PRETENCE.test(value);
}

/** Returns the Shannon entropy of a text, in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Returns whether the last six characters of a token of GitHub or npm are the CRC-32 of the others, in base 62
 * (GitHub's blog, "Behind GitHub's new authentication token formats", 2021, and "Announcing npm's new access token
 * format", 2021).
 * @param value the token without its prefix
 */
export function hasChecksum(value: string): boolean {
  let rest = crc32(value.slice(0, -6));
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return value.endsWith(digits);
}

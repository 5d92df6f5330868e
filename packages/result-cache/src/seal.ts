import { createHash, createHmac, timingSafeEqual } from "node:crypto";

const FORM = "skein-cache-1";

/**
 * The result of opening a sealed artifact. `unproven` means that the seal wasn't made with our key; the content may be
 * damaged or not.
 */
export type Opened =
  | { readonly kind: "open"; readonly body: Buffer }
  | { readonly kind: "damaged" }
  | { readonly kind: "unproven" };

/**
 * Returns the bytes of an artifact: a line that proves its name and content, followed by the content. With a key, only
 * holders of the key can make the line (HMAC-SHA256). Without one, the line only reveals damage (SHA-256).
 * @param name the name in the store, so that no artifact can be passed off as another
 */
export function seal(
  name: string,
  body: Buffer,
  key: string | undefined,
): Buffer {
  return Buffer.concat([
    Buffer.from(`${FORM} ${how(key)} ${proof(name, body, key)}\n`),
    body,
  ]);
}

/** Checks the proof of an artifact before anything reads its content. */
export function unseal(
  name: string,
  bytes: Buffer,
  key: string | undefined,
): Opened {
  // The line has at most 13 + 11 + 64 characters and two spaces.
  const end = bytes.subarray(0, 128).indexOf("\n");
  const line = end < 0 ? "" : bytes.subarray(0, end).toString("latin1");
  const [form, method, seal = ""] = line.split(" ");
  if (form !== FORM) return { kind: "damaged" };
  if (method !== how(key)) return { kind: "unproven" };
  const body = bytes.subarray(end + 1);
  const right = Buffer.from(proof(name, body, key));
  const given = Buffer.from(seal);
  if (given.length === right.length && timingSafeEqual(given, right))
    return { kind: "open", body };
  return { kind: key === undefined ? "damaged" : "unproven" };
}

function how(key: string | undefined): string {
  return key === undefined ? "sha256" : "hmac-sha256";
}

function proof(name: string, body: Buffer, key: string | undefined): string {
  const digest =
    key === undefined ? createHash("sha256") : createHmac("sha256", key);
  return digest
    .update(`${FORM} ${Buffer.byteLength(name)}:${name} ${body.length}:`)
    .update(body)
    .digest("hex");
}

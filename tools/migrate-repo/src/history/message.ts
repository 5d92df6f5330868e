/**
 * Qualifies bare issue references of a message: `#12` and `GH-12` become `owner/repo#12`, so that a push to the target
 * doesn't close the target's own issue 12. References that are qualified already (`other/repo#3`), and parts of a word
 * (`a#1`), of an address (`…/page#4`) or of a colour (`#123456abc`), don't change.
 * @param slug `owner/repo`
 */
export function qualifyReferences(message: Buffer, slug: string): Buffer {
  // latin1 maps every byte to one character, so the bytes of a message in any charset survive.
  const text = message.toString("latin1");
  if (!/#\d|GH-\d/i.test(text)) return message;
  const qualified = text
    .replace(/(?<![\w/&#.-])#(\d+)(?![\w])/g, `${slug}#$1`)
    .replace(/(?<![\w/&#.-])GH-(\d+)(?![\w])/gi, `${slug}#$1`);
  return qualified === text ? message : Buffer.from(qualified, "latin1");
}

/** Adds one trailer: to the last paragraph if that already has trailers, otherwise in a paragraph of its own. */
export function addTrailer(
  message: Buffer,
  key: string,
  value: string,
): Buffer {
  const text = message.toString("latin1").replace(/\n*$/, "");
  const last = text.slice(text.lastIndexOf("\n\n") + 1).trim();
  const hasTrailers =
    text.includes("\n\n") &&
    last.split("\n").every((line) => /^[A-Za-z0-9-]+: /.test(line));
  return Buffer.from(
    `${text}${hasTrailers ? "\n" : text === "" ? "" : "\n\n"}${key}: ${value}\n`,
    "latin1",
  );
}

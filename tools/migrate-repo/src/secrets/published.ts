/** Tokens that their issuers publish in their own documentation, or with an emulator. They aren't secret. */
const PUBLISHED: ReadonlySet<string> = new Set([
  // docs.stripe.com, in all of its examples.
  "4eC39HqLyjWDarjtT1zdp7dc",
  "BQokikJOvBiI2HlWgH4olfQ2",
  "tR3PYbcVNZZ796tH88S4VQ2u",
  // docs.github.com, "Authorizing OAuth apps" and "Revoking a token".
  "16C7e42F292c6912E7710c838347Ae178B4a",
  // learn.microsoft.com, "Use the Azurite emulator".
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
]);

/** The beginnings of keys that issuers publish: docs.github.com, "Create a GitHub App from a manifest". */
const PUBLISHED_KEYS = [
  "MIIEowIBAAKCAQEAuEPzOUE+kiEH1WLiMeBytTEF856j0hOVcSUSUkZxKvqczkWM",
];

/** Returns whether an issuer's documentation shows a value. All of Amazon's end in EXAMPLE or EXAMPLEKEY. */
export function isPublished(value: string): boolean {
  return PUBLISHED.has(value) || /EXAMPLE(?:KEY)?["']?$/.test(value);
}

/** Returns whether the body of a key is one that an issuer publishes. */
export function isPublishedKey(body: string): boolean {
  return PUBLISHED_KEYS.some((start) => body.startsWith(start));
}

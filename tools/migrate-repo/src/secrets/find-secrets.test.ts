import { crc32 } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { findSecrets } from "./find-secrets.js";

/** A random value from `openssl rand`. The tests build tokens from it, so that none of our files holds a token. */
const DRAWN = "k7Qm2ZxT9vRb4LwY8cNs1HdP6fGj3KuE5aXoViBtCyMgDnWz";
const AWS = "Z7QK2MXT9RB4LWY8";
/** The example on docs.stripe.com. */
const STRIPE = "4eC39HqLyjWDarjtT1zdp7dc";
const begin = (kind: string) => `-----BEGIN ${kind} KEY-----`;
const HEX = "9f3ac17e5b08d4426e91c7fa3b5d0882";
const KEY = `MIIEvgIBADANBgkqhkiG9w0BAQEFAASC${DRAWN}`;

/** Returns a token of GitHub or npm with its checksum. */
function withChecksum(value: string): string {
  const signs =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let rest = crc32(value);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = signs.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return value + digits;
}

const tokens: readonly (readonly [kind: string, text: string])[] = [
  ["AWS access key", `AKIA${AWS}`],
  ["AWS secret access key", `aws_secret_access_key = ${DRAWN.slice(0, 40)}`],
  ["AWS secret access key", `secretAccessKey: "${DRAWN.slice(0, 40)}",`],
  ["GitHub token", `ghp_${withChecksum(DRAWN.slice(0, 30))}`],
  // With few different characters, only the checksum shows that a token is random.
  ["GitHub token", `gho_${withChecksum("a".repeat(30))}`],
  ["GitHub token", `ghs_${DRAWN.slice(0, 36)}`],
  [
    "GitHub fine-grained token",
    `github_pat_${DRAWN.slice(0, 22)}_${DRAWN}${DRAWN.slice(0, 11)}`,
  ],
  ["npm access token", `npm_${withChecksum(DRAWN.slice(0, 30))}`],
  [
    "registry credential",
    `//r.example/:_authToken=5f871bad-a35b-44da-aa77-f29b87a7d846`,
  ],
  ["GitLab token", `glpat-${DRAWN.slice(0, 20)}`],
  ["Slack token", `xoxb-2401837492834-2401837492835-${DRAWN.slice(0, 24)}`],
  [
    "Slack webhook",
    `https://hooks.slack.com/services/T024Q8KZ1/B06LM2PQ4/${DRAWN.slice(0, 24)}`,
  ],
  ["Google API key", `AIza${DRAWN.slice(0, 35)}`],
  ["Google OAuth client secret", `GOCSPX-${DRAWN.slice(0, 28)}`],
  ["Stripe key", `sk_live_${DRAWN.slice(0, 24)}`],
  ["Stripe key", `rk_test_${DRAWN}`],
  ["OpenAI API key", `sk-proj-${DRAWN}`],
  ["OpenAI API key", `sk-${DRAWN}`],
  ["Anthropic API key", `sk-ant-api03-${DRAWN}`],
  ["Hugging Face token", `hf_${DRAWN.replace(/\d/g, "").slice(0, 34)}`],
  ["SendGrid API key", `SG.${DRAWN.slice(0, 22)}.${DRAWN.slice(0, 43)}`],
  ["Mailgun API key", `key-${HEX}`],
  ["Twilio API key", `SK${HEX}`],
  ["Telegram bot token", `110201543:AA${DRAWN.slice(0, 33)}`],
  ["PyPI token", `pypi-AgEIcHlwaS5vcmcC${DRAWN}`],
  ["DigitalOcean token", `dop_v1_${HEX}${HEX}`],
  ["Shopify token", `shpat_${HEX}`],
  ["Docker Hub token", `dckr_pat_${DRAWN.slice(0, 27)}`],
  [
    "Azure storage key",
    `AccountName=x;AccountKey=${DRAWN}${DRAWN.slice(0, 38)}==;`,
  ],
  ["private key", `${begin("RSA PRIVATE")}\n${KEY}\n`],
  ["private key", `"${begin("PRIVATE")}\\n${KEY}\\n"`],
  [
    "private key",
    `${begin("RSA PRIVATE")}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${HEX}\n\n${KEY}\n`,
  ],
];

describe("a token is found by its form in any file", () => {
  test.each(tokens)("%s: %s", (kind, text) => {
    const content = Buffer.from(`one\ntwo = ${text}\n`);
    expect(findSecrets("src/config.js", content)).toEqual([
      { kind, line: 2, value: expect.any(String) },
    ]);
  });

  test.each(["utf16le", "big endian"])("in UTF-16, %s", (order) => {
    const content = Buffer.from(`\uFEFFone\nsk_live_${DRAWN}\n`, "utf16le");
    if (order === "big endian") content.swap16();
    expect(findSecrets("a.txt", content)).toMatchObject([
      { kind: "Stripe key", line: 2 },
    ]);
  });

  test("two in a line, and each line's number", () => {
    const text = `\n\nnpm_${DRAWN.slice(0, 36)} AIza${DRAWN.slice(0, 35)}\n\nAKIA${AWS}`;
    expect(
      findSecrets("a", Buffer.from(text)).map(({ kind, line }) => [line, kind]),
    ).toEqual([
      [3, "npm access token"],
      [3, "Google API key"],
      [5, "AWS access key"],
    ]);
  });
});

describe("texts that aren't tokens are not found", () => {
  test.each([
    "AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    `access_key = ${HEX}0011aabb`,
    `sk_test_${STRIPE}`,
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    `npm_${"a1".repeat(18)}`,
    "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
    "_authToken=your-token-goes-here-please",
    `disk-${DRAWN}`,
    `cache-key-${HEX}`,
    `xoxb-your-token`,
    `${begin("PRIVATE")}\nMIIEvgIBADAN...\n`,
    `-----BEGIN CERTIFICATE-----\n${KEY}\n`,
    `${begin("PUBLIC")}\n${KEY}\n`,
    `integrity sha512-${DRAWN}${DRAWN}==`,
    `"resolved": "https://r.example/AKIA/-/AIza.tgz#${HEX}"`,
    "",
    "AKIA",
  ])("%s", (text) => {
    expect(findSecrets("src/config.js", Buffer.from(text))).toEqual([]);
  });
});

describe("a settings file is also searched by its keys", () => {
  test.each([
    [".npmrc", "//r.example/:_authToken=abc", "registry credential"],
    ["a/.env", "API_KEY=swordfish", "credential in the environment"],
    [".env.example", "GH_TOKEN=REPLACEME", undefined],
    [".env", "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", undefined],
    ["server.key", begin("EC PRIVATE"), "private key"],
    ["src/env.ts", "API_KEY=swordfish", undefined],
  ])("%s: %s", (path, text, kind) => {
    expect(
      findSecrets(path, Buffer.from(text)).map((found) => found.kind),
    ).toEqual(kind === undefined ? [] : [kind]);
  });
});

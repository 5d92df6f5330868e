import { isPublishedKey } from "./published.js";
import { entropy, hasChecksum, isRandom } from "./random.js";

/** The form of one issuer's tokens. */
export interface Form {
  /** The name of the kind, for people. */
  readonly kind: string;
  /**
   * The strings that a token of this form can begin with, as Latin-1; each has at least `SHORTEST_START` characters.
   */
  readonly starts: readonly string[];
  /** Matches at the start of a token. The first group is the random part. */
  readonly form: RegExp;
  /** Returns whether the random part is a real token's. */
  readonly judge: (random: string) => boolean;
}

/** The number of bytes that the search for starts compares at once; see `find-forms.ts`. */
export const SHORTEST_START = 4;

const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Appends each possible next character to a start that is too short. */
const followedBy = (start: string, signs: string): readonly string[] =>
  Array.from(signs, (sign) => start + sign);

const random = (least: number) => (value: string) => isRandom(value, least);

/**
 * Returns whether a token looks real. A correct checksum proves it. A wrong one proves nothing, because an issuer may
 * use a format that it never documented.
 */
const checked = (value: string) => hasChecksum(value) || isRandom(value, 3.5);

/**
 * Returns whether a value looks like a secret key of AWS. Base64 of 30 bytes has 4.8 bits per character; 40 hexadecimal
 * digits, such as a commit's id, have at most 4.
 */
const isAwsSecret = (value: string) =>
  isRandom(value, 4.2) &&
  /\d/.test(value) &&
  /[a-z][^]*[A-Z]|[A-Z][^]*[a-z]/.test(value);

/**
 * Returns whether a text is the body of a key after its header. It ignores the lines `Proc-Type: …`, and what source
 * code writes between the lines.
 */
const isKeyBody = (value: string) => {
  const [body = ""] =
    /^[A-Za-z0-9+/=]*/.exec(
      value
        .replace(/\\[nrt]/g, "\n")
        .replace(/^[\s"'`]*[A-Za-z-]+: .*$/gm, "")
        .replace(/[\s"'`\\,#*>;]/g, ""),
    ) ?? [];
  return body.length >= 32 && entropy(body) >= 3.5 && !isPublishedKey(body);
};

/**
 * Forms of tokens with a recognisable mark, as in their issuers' documentation and gitleaks' rules
 * (github.com/gitleaks/gitleaks, config/gitleaks.toml). The list has no forms without a mark (a password, a key of only
 * hexadecimal digits), because they look like an id or a hash.
 */
export const FORMS: readonly Form[] = [
  {
    kind: "AWS access key",
    starts: ["AKIA", "ASIA", "ABIA", "ACCA"],
    form: /(?<![A-Za-z0-9])A(?:KIA|SIA|BIA|CCA)([A-Z0-9]{16})(?![A-Za-z0-9])/y,
    judge: random(2.8),
  },
  {
    kind: "AWS secret access key",
    starts: [
      "access",
      "Access",
      "ACCESS",
      "secret",
      "Secret",
      "SECRET",
    ].flatMap((word) => ["_key", "Key", "_KEY"].map((key) => word + key)),
    form: /(?:access|secret)_?key["']?\s*(?:[:=]|=>)\s*["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/iy,
    judge: isAwsSecret,
  },
  {
    kind: "GitHub token",
    starts: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    form: /(?<![A-Za-z0-9])gh[pousr]_([A-Za-z0-9]{36,255})(?![A-Za-z0-9])/y,
    judge: checked,
  },
  {
    kind: "GitHub fine-grained token",
    starts: ["github_pat_"],
    form: /(?<![A-Za-z0-9])github_pat_(\w{40,255})(?!\w)/y,
    judge: checked,
  },
  {
    kind: "npm access token",
    starts: ["npm_"],
    form: /(?<![A-Za-z0-9])npm_([A-Za-z0-9]{36})(?![A-Za-z0-9])/y,
    judge: checked,
  },
  {
    kind: "registry credential",
    starts: ["_authToken"],
    form: /_authToken["']?\s*[=:]\s*["']?([\w+/=.-]{20,})/y,
    judge: random(3.2),
  },
  {
    kind: "GitLab token",
    starts: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glptt-",
      "glcbt-",
      "glft-",
      "glsoat-",
      "gloas-",
      "glimt-",
      "glagent-",
    ],
    form: /(?<![A-Za-z0-9])gl(?:pat|dt|rt|ptt|cbt|ft|soat|oas|imt|agent)-([\w-]{20,})/y,
    judge: random(3.2),
  },
  {
    kind: "Slack token",
    starts: [
      "xoxb-",
      "xoxp-",
      "xoxa-",
      "xoxo-",
      "xoxr-",
      "xoxs-",
      "xoxe-",
      "xoxe.",
      "xapp-",
    ],
    form: /(?<![A-Za-z0-9])x(?:ox[abposre][-.](?:[\w.]+-){1,5}|app-\d-[A-Z0-9]+-\d+-)([A-Za-z0-9]{16,})(?![A-Za-z0-9])/y,
    judge: random(3),
  },
  {
    kind: "Slack webhook",
    starts: ["hooks.slack.com/"],
    form: /hooks\.slack\.com\/(?:services|workflows|triggers)\/\w{8,}\/\w{8,}\/([A-Za-z0-9]{18,})/y,
    judge: random(3.2),
  },
  {
    kind: "Discord webhook",
    starts: ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    form: /discord(?:app)?\.com\/api\/webhooks\/\d{15,}\/([\w-]{60,})/y,
    judge: random(4),
  },
  {
    kind: "Google API key",
    starts: ["AIza"],
    form: /(?<![A-Za-z0-9])AIza([\w-]{35})(?![\w-])/y,
    judge: random(3.5),
  },
  {
    kind: "Google OAuth client secret",
    starts: ["GOCSPX-"],
    form: /(?<![A-Za-z0-9])GOCSPX-([\w-]{28})(?![\w-])/y,
    judge: random(3.5),
  },
  {
    kind: "Google OAuth access token",
    starts: ["ya29."],
    form: /(?<![A-Za-z0-9])ya29\.([\w-]{40,})/y,
    judge: random(4),
  },
  {
    kind: "Stripe key",
    starts: ["sk", "rk"].flatMap((key) =>
      ["_live_", "_test_", "_prod_"].map((use) => key + use),
    ),
    form: /(?<![A-Za-z0-9])[sr]k_(?:live|test|prod)_([A-Za-z0-9]{16,})(?![A-Za-z0-9])/y,
    judge: random(3),
  },
  {
    kind: "webhook signing secret",
    starts: ["whsec_"],
    form: /(?<![A-Za-z0-9])whsec_([A-Za-z0-9+/=]{32,})/y,
    judge: random(4),
  },
  {
    kind: "Anthropic API key",
    starts: ["sk-ant-"],
    form: /(?<![A-Za-z0-9])sk-ant-([\w-]{40,})/y,
    judge: random(4),
  },
  {
    kind: "OpenAI API key",
    starts: ["sk-proj-", "sk-svcacct-", "sk-admin-"],
    form: /(?<![A-Za-z0-9])sk-(?:proj|svcacct|admin)-([\w-]{40,})/y,
    judge: random(4),
  },
  {
    kind: "OpenAI API key",
    starts: followedBy("sk-", DIGITS + LETTERS),
    form: /(?<![\w-])sk-([A-Za-z0-9]{48})(?![\w-])/y,
    judge: random(4),
  },
  {
    kind: "Hugging Face token",
    starts: followedBy("hf_", LETTERS),
    form: /(?<![A-Za-z0-9])hf_([A-Za-z]{34})(?![A-Za-z0-9])/y,
    judge: random(3.8),
  },
  {
    kind: "SendGrid API key",
    starts: followedBy("SG.", `${DIGITS}${LETTERS}_-`),
    form: /(?<![A-Za-z0-9])SG\.([\w-]{16,32}\.[\w-]{16,64})(?![\w-])/y,
    judge: random(4),
  },
  {
    kind: "Mailgun API key",
    starts: followedBy("key-", HEX),
    form: /(?<![\w-])key-([0-9a-f]{32})(?![\w-])/y,
    judge: random(3),
  },
  {
    kind: "Twilio API key",
    starts: followedBy("SK", HEX).flatMap((start) => followedBy(start, HEX)),
    form: /(?<![A-Za-z0-9])SK([0-9a-f]{32})(?![A-Za-z0-9])/y,
    judge: random(3),
  },
  {
    kind: "Telegram bot token",
    starts: followedBy(":AA", `${DIGITS}${LETTERS}_-`),
    form: /(?<=(?<!\d)\d{8,10}):AA([\w-]{33})(?![\w-])/y,
    judge: random(3.8),
  },
  {
    kind: "PyPI token",
    starts: ["pypi-AgE"],
    form: /(?<![A-Za-z0-9])pypi-AgE([\w-]{50,})/y,
    judge: random(3.5),
  },
  {
    kind: "RubyGems token",
    starts: ["rubygems_"],
    form: /(?<![A-Za-z0-9])rubygems_([0-9a-f]{48})(?![A-Za-z0-9])/y,
    judge: random(3),
  },
  {
    kind: "Docker Hub token",
    starts: ["dckr_pat_", "dckr_oat_"],
    form: /(?<![A-Za-z0-9])dckr_[po]at_([\w-]{24,})/y,
    judge: random(3.5),
  },
  {
    kind: "DigitalOcean token",
    starts: ["dop_v1_", "doo_v1_", "dor_v1_"],
    form: /(?<![A-Za-z0-9])do[por]_v1_([0-9a-f]{64})(?![A-Za-z0-9])/y,
    judge: random(3),
  },
  {
    kind: "Shopify token",
    starts: ["shpat_", "shpca_", "shppa_", "shpss_"],
    form: /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_([0-9a-fA-F]{32})(?![A-Za-z0-9])/y,
    judge: random(3),
  },
  {
    kind: "Square token",
    starts: ["sq0atp-", "sq0csp-"],
    form: /(?<![A-Za-z0-9])sq0(?:atp|csp)-([\w-]{22,43})(?![\w-])/y,
    judge: random(3.5),
  },
  {
    kind: "Atlassian token",
    starts: ["ATATT3"],
    form: /(?<![A-Za-z0-9])ATATT3([\w=-]{100,})/y,
    judge: random(4),
  },
  {
    kind: "Azure storage key",
    starts: ["AccountKey="],
    form: /AccountKey=([A-Za-z0-9+/]{86}==)/y,
    judge: random(4.5),
  },
  {
    kind: "Databricks token",
    starts: followedBy("dapi", HEX),
    form: /(?<![A-Za-z0-9])dapi([0-9a-f]{32})(?![A-Za-z0-9])/y,
    judge: random(3),
  },
  {
    kind: "HashiCorp Vault token",
    starts: ["hvs.", "hvb."],
    form: /(?<![A-Za-z0-9])hv[sb]\.([\w-]{90,})/y,
    judge: random(4),
  },
  {
    kind: "Terraform Cloud token",
    starts: [".atlasv1."],
    form: /(?<=(?<![A-Za-z0-9])[A-Za-z0-9]{14})\.atlasv1\.([\w-]{60,})/y,
    judge: random(4),
  },
  {
    kind: "Linear API key",
    starts: ["lin_api_"],
    form: /(?<![A-Za-z0-9])lin_api_([A-Za-z0-9]{40})(?![A-Za-z0-9])/y,
    judge: random(3.5),
  },
  {
    kind: "Grafana token",
    starts: ["glsa_"],
    form: /(?<![A-Za-z0-9])glsa_([A-Za-z0-9]{32}_[0-9a-f]{8})(?![A-Za-z0-9])/y,
    judge: random(3.5),
  },
  {
    kind: "Postman API key",
    starts: ["PMAK-"],
    form: /(?<![A-Za-z0-9])PMAK-([0-9a-f]{24}-[0-9a-f]{34})(?![A-Za-z0-9])/y,
    judge: random(3),
  },
  {
    kind: "age secret key",
    starts: ["AGE-SECRET-KEY-1"],
    form: /AGE-SECRET-KEY-1([QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})/y,
    judge: random(3.5),
  },
  {
    kind: "private key",
    starts: ["-----BEGIN"],
    form: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----([^]{32,400})/y,
    judge: isKeyBody,
  },
];

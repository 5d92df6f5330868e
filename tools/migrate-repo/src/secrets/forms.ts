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
 * One form in a line, with columns apart by two or more spaces: its kind; the least randomness in bits per character, or
 * `checked`; how its tokens can begin, where `[0-9]` means each of these characters; and its regular expression, where `^`
 * means no letter or digit before the token, and `$` none behind it.
 */
const TABLE = String.raw`
  AWS access key  2.8  AKIA ASIA ABIA ACCA  ^A(?:KIA|SIA|BIA|CCA)([A-Z0-9]{16})$
  GitHub token  checked  ghp_ gho_ ghu_ ghs_ ghr_  ^gh[pousr]_([A-Za-z0-9]{36,255})$
  GitHub fine-grained token  checked  github_pat_  ^github_pat_(\w{40,255})(?!\w)
  npm access token  checked  npm_  ^npm_([A-Za-z0-9]{36})$
  registry credential  3.2  _authToken  _authToken["']?\s*[=:]\s*["']?([\w+/=.-]{20,})
  GitLab token  3.2  glpat- gldt- glrt- glptt- glcbt- glft- glsoat- gloas- glimt- glagent-  ^gl(?:pat|dt|rt|ptt|cbt|ft|soat|oas|imt|agent)-([\w-]{20,})
  Slack token  3  xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xoxe. xapp-  ^x(?:ox[abposre][-.](?:[\w.]+-){1,5}|app-\d-[A-Z0-9]+-\d+-)([A-Za-z0-9]{16,})$
  Slack webhook  3.2  hooks.slack.com/  hooks\.slack\.com/(?:services|workflows|triggers)/\w{8,}/\w{8,}/([A-Za-z0-9]{18,})
  Discord webhook  4  discord.com/api/webhooks/ discordapp.com/api/webhooks/  discord(?:app)?\.com/api/webhooks/\d{15,}/([\w-]{60,})
  Google API key  3.5  AIza  ^AIza([\w-]{35})(?![\w-])
  Google OAuth client secret  3.5  GOCSPX-  ^GOCSPX-([\w-]{28})(?![\w-])
  Google OAuth access token  4  ya29.  ^ya29\.([\w-]{40,})
  Stripe key  3  sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_  ^[sr]k_(?:live|test|prod)_([A-Za-z0-9]{16,})$
  webhook signing secret  4  whsec_  ^whsec_([A-Za-z0-9+/=]{32,})
  Anthropic API key  4  sk-ant-  ^sk-ant-([\w-]{40,})
  OpenAI API key  4  sk-proj- sk-svcacct- sk-admin-  ^sk-(?:proj|svcacct|admin)-([\w-]{40,})
  OpenAI API key  4  sk-[0-9A-Za-z]  (?<![\w-])sk-([A-Za-z0-9]{48})(?![\w-])
  Hugging Face token  3.8  hf_[A-Za-z]  ^hf_([A-Za-z]{34})$
  SendGrid API key  4  SG.[\w-]  ^SG\.([\w-]{16,32}\.[\w-]{16,64})(?![\w-])
  Mailgun API key  3  key-[0-9a-f]  (?<![\w-])key-([0-9a-f]{32})(?![\w-])
  Twilio API key  3  SK[0-9a-f][0-9a-f]  ^SK([0-9a-f]{32})$
  Telegram bot token  3.8  :AA[\w-]  (?<=(?<!\d)\d{8,10}):AA([\w-]{33})(?![\w-])
  PyPI token  3.5  pypi-AgE  ^pypi-AgE([\w-]{50,})
  RubyGems token  3  rubygems_  ^rubygems_([0-9a-f]{48})$
  Docker Hub token  3.5  dckr_pat_ dckr_oat_  ^dckr_[po]at_([\w-]{24,})
  DigitalOcean token  3  dop_v1_ doo_v1_ dor_v1_  ^do[por]_v1_([0-9a-f]{64})$
  Shopify token  3  shpat_ shpca_ shppa_ shpss_  ^shp(?:at|ca|pa|ss)_([0-9a-fA-F]{32})$
  Square token  3.5  sq0atp- sq0csp-  ^sq0(?:atp|csp)-([\w-]{22,43})(?![\w-])
  Atlassian token  4  ATATT3  ^ATATT3([\w=-]{100,})
  Azure storage key  4.5  AccountKey=  AccountKey=([A-Za-z0-9+/]{86}==)
  Databricks token  3  dapi[0-9a-f]  ^dapi([0-9a-f]{32})$
  HashiCorp Vault token  4  hvs. hvb.  ^hv[sb]\.([\w-]{90,})
  Terraform Cloud token  4  .atlasv1.  (?<=(?<![A-Za-z0-9])[A-Za-z0-9]{14})\.atlasv1\.([\w-]{60,})
  Linear API key  3.5  lin_api_  ^lin_api_([A-Za-z0-9]{40})$
  Grafana token  3.5  glsa_  ^glsa_([A-Za-z0-9]{32}_[0-9a-f]{8})$
  Postman API key  3  PMAK-  ^PMAK-([0-9a-f]{24}-[0-9a-f]{34})$
  age secret key  3.5  AGE-SECRET-KEY-1  AGE-SECRET-KEY-1([QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})
`;

/** Returns the words that a start with sets of characters means: `s0` to `s9` for `s[0-9]`. */
function expand(start: string): readonly string[] {
  const [whole = ""] = /\[.*?\]/.exec(start) ?? [];
  if (whole === "") return [start];
  const isMeant = new RegExp(whole);
  return Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    .filter((sign) => isMeant.test(sign))
    .flatMap((sign) => expand(start.replace(whole, sign)));
}

function formIn(line: string): Form {
  const [kind = "", least = "", starts = "", form = ""] = line
    .trim()
    .split(/ {2,}/);
  const pattern = form
    .replace(/^\^/, "(?<![A-Za-z0-9])")
    .replace(/\$$/, "(?![A-Za-z0-9])");
  return {
    kind,
    starts: starts.split(" ").flatMap(expand),
    form: new RegExp(pattern, "y"),
    judge: least === "checked" ? checked : random(Number(least)),
  };
}

/**
 * Forms of tokens with a recognisable mark, as in their issuers' documentation and gitleaks' rules
 * (github.com/gitleaks/gitleaks, config/gitleaks.toml). The list has no forms without a mark (a password, a key of only
 * hexadecimal digits), because they look like an id or a hash.
 */
export const FORMS: readonly Form[] = [
  ...TABLE.trim().split("\n").map(formIn),
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
    kind: "private key",
    starts: ["-----BEGIN"],
    form: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----([^]{32,400})/y,
    judge: isKeyBody,
  },
];

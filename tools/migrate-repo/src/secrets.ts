import { basename } from "node:path/posix";

/** Files in which package managers and tools keep credentials. */
const NAMES =
  /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|\.pypirc|\.netrc|_netrc|\.git-credentials|\.dockercfg|\.env(?:\..+)?|.+\.env|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.pem|credentials)$/;

/** Templates hold names, no values; what they hold is still looked at by form. */
export function mayHoldSecrets(path: string): boolean {
  return NAMES.test(basename(path).toLowerCase());
}

/** A placeholder is no secret: `${NPM_TOKEN}`, `$TOKEN`, `<token>`, `xxxx`, `your-token-here`, an empty value. */
const PLACEHOLDER =
  /^["']?(?:|\$\{?\w+[^]*|<[^>]*>|[x*.]+|(?:your|my|some|example|changeme|secret|token|password|todo|dummy|test|placeholder)[-_ \w]*)["']?$/i;

interface Pattern {
  readonly kind: string;
  readonly form: RegExp;
  /** Group of the value, where a placeholder may stand. */
  readonly value?: number;
}

/** Forms of tokens, each as its issuer documents it, and the settings that hold a credential of any form. */
const PATTERNS: readonly Pattern[] = [
  { kind: "npm access token", form: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { kind: "GitHub token", form: /\bgh[pousr]_[A-Za-z0-9]{36,}\b/ },
  { kind: "GitHub fine-grained token", form: /\bgithub_pat_\w{22,}\b/ },
  { kind: "AWS access key", form: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { kind: "Slack token", form: /\bxox[abposr]-[\w-]{10,}/ },
  { kind: "private key", form: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  {
    kind: "registry credential",
    form: /(?:^|[:\s"'])_(?:authToken|auth|password)["']?\s*[=: ]\s*(\S+)/i,
    value: 1,
  },
  {
    kind: "registry credential",
    form: /\bnpmAuth(?:Token|Ident)["']?\s*[:=]\s*(\S+)/,
    value: 1,
  },
  { kind: "password in a URL", form: /:\/\/[^\s/:@]+:([^\s/@]+)@/, value: 1 },
  {
    kind: "credential in the environment",
    form: /^\s*(?:export\s+)?\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY)\w*\s*=\s*(\S+)/i,
    value: 1,
  },
  { kind: "netrc password", form: /\bpassword\s+(\S{4,})/, value: 1 },
];

/** Recognises credentials in a file's text. Says what and where, never the value. */
export function findSecrets(
  text: string,
): readonly { readonly kind: string; readonly line: number }[] {
  return text.split("\n").flatMap((line, index) => {
    if (/^\s*[#;]/.test(line) && !/_authToken|npm_|gh[pousr]_/.test(line))
      return [];
    const found = PATTERNS.find(({ form, value }) => {
      const match = form.exec(line);
      return (
        match !== null &&
        (value === undefined || !PLACEHOLDER.test(match[value] ?? ""))
      );
    });
    return found ? [{ kind: found.kind, line: index + 1 }] : [];
  });
}

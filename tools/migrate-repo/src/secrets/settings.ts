import { basename } from "node:path/posix";
import { isPublished } from "./published.js";
import type { Found } from "./find-forms.js";

/** Files in which package managers and tools store credentials. */
const NAMES =
  /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|\.pypirc|\.netrc|_netrc|\.git-credentials|\.dockercfg|\.env(?:\..+)?|.+\.env|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.pem|.+\.key|credentials)$/;

/**
 * Returns whether a file is one in which tools store credentials. In such a file, a value can be a credential only by
 * its place.
 */
export function isSettingsFile(path: string): boolean {
  return NAMES.test(basename(path).toLowerCase());
}

/**
 * Placeholders, which aren't secrets: `${NPM_TOKEN}`, `$TOKEN`, `<token>`, `xxxx`, `your-token-here`, an empty value.
 */
const PLACEHOLDER =
  /^["']?(?:|\$\{?\w+[^]*|<[^>]*>|[x*.]+|(?:your|my|some|example|change_?me|replace_?me|insert|secret|token|password|todo|dummy|test|placeholder)[-_ \w]*)["']?$/i;

interface Pattern {
  readonly kind: string;
  readonly form: RegExp;
  /** The group of the value, if that can be a placeholder. */
  readonly value?: number;
}

/** The forms of tokens, as in their issuers' documentation, and the settings that hold a credential of any form. */
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

/** Returns the credentials in the text of a settings file, at most one per line. */
export function findInSettings(text: string): readonly Found[] {
  return text.split("\n").flatMap((line, index) => {
    if (/^\s*[#;]/.test(line) && !/_authToken|npm_|gh[pousr]_/.test(line))
      return [];
    for (const { kind, form, value } of PATTERNS) {
      const text = form.exec(line)?.[value ?? 0];
      if (text === undefined || isPublished(text)) continue;
      if (value === undefined || !PLACEHOLDER.test(text))
        return [{ kind, line: index + 1, value: text }];
    }
    return [];
  });
}

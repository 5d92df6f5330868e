/** Lines that a verdict shows of a failed script. */
const LAST_LINES = 20;
const LONGEST_LINE = 300;

/** Names of variables that hold what nobody may read. */
const SECRET_NAME =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|PRIVATE_?KEY|AUTH/i;
/** A shorter value would blot out ordinary words. */
const SHORTEST_SECRET = 8;

/**
 * Replaces the values of secret variables in what a script printed. Pure. GitHub masks secrets in its own logs; in a
 * file nobody does.
 */
export function withoutSecrets(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const secrets = Object.entries(env).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) && value.length >= SHORTEST_SECRET ? [value] : [],
  );
  // The longest first: one secret may hold another.
  return secrets
    .sort((a, b) => b.length - a.length)
    .reduce((left, secret) => left.replaceAll(secret, "***"), text);
}

/** Sequences that colour a terminal or move its cursor. */
const TERMINAL_CODES = new RegExp(
  `${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`,
  "g",
);

/** Takes the last 20 lines that say something, each of 300 characters at most, without terminal codes. Pure. */
export function lastLines(text: string): readonly string[] {
  return text
    .replaceAll(TERMINAL_CODES, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(-LAST_LINES)
    .map((line) => line.trimEnd().slice(0, LONGEST_LINE));
}

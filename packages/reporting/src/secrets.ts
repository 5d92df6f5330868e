/** Names of variables that contain secrets. */
const SECRET_NAME =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|PRIVATE_?KEY|AUTH/i;
/** The minimum length of a secret. Shorter values would also replace ordinary words. */
const SHORTEST_SECRET = 8;

/**
 * Replaces the values of secret variables in a script's output. Pure. GitHub masks secrets only in its own logs, not in
 * files.
 */
export function withoutSecrets(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const secrets = Object.entries(env).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) && value.length >= SHORTEST_SECRET ? [value] : [],
  );
  // The longest first, because one secret may contain another.
  return secrets
    .sort((a, b) => b.length - a.length)
    .reduce((left, secret) => left.replaceAll(secret, "***"), text);
}

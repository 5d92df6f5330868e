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

/** Which attempt of its workflow run this is, 1-based: what Actions says, else the first. */
export function attemptOf(
  env: Readonly<Record<string, string | undefined>>,
): number {
  const text = env["GITHUB_RUN_ATTEMPT"] ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

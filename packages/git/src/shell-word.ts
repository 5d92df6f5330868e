/**
 * Quotes a name for a command that the user can paste, unless the name is plain. A branch can be called `$(reboot)`.
 */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@+=-]+$/.test(text)
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a name in a command that we show to be pasted: quoted unless it is plain. A branch can be called `$(reboot)`. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@+=-]+$/.test(text)
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

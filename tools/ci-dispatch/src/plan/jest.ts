/**
 * Returns whether Jest runs a script's last command, so that arguments appended to the script reach it. Scripts that
 * request Jest's JSON themselves, or choose files or shards, don't count.
 */
export function isJest(command: string): boolean {
  const last = command.split(/&&|\|\||[;|&\n]/).at(-1) ?? "";
  const words = last.trim().split(/\s+/);
  const at = words.findIndex((word) => /(^|[/\\])jest(\.[cm]?js)?$/.test(word));
  if (at < 0) return false;
  const before = words.slice(0, at);
  const launcher = before.every(
    (word) =>
      /^\w+=\S*$/.test(word) ||
      /^(cross-env|npx|yarn|node|run|exec|--no-install|--[\w-]+(=\S*)?)$/.test(
        word,
      ),
  );
  const own = words
    .slice(at + 1)
    .some((word) =>
      /^--(json|outputFile|shard|testSequencer|listTests|watch\w*|version)\b/.test(
        word,
      ),
    );
  return launcher && !own;
}

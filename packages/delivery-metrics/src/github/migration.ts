import { clean, type Row } from "./row.js";

/**
 * Returns the title of the merge with which `migrate-repo` imports a repository.
 * @param commit with its `message` and the number of its `parents`
 * @returns undefined for any other commit
 */
export function migrationOf(commit: Row): string | undefined {
  const message = commit.get("message");
  const parents = commit.row("parents")?.whole("totalCount") ?? 0;
  if (typeof message !== "string" || parents < 2) return undefined;
  // A later `migrate-repo sync` has the same trailers.
  const isOne = /^Migrate [^]*^Migrated-Package: \S/m.test(message);
  return isOne ? clean(message.split("\n", 1)[0] ?? "") : undefined;
}

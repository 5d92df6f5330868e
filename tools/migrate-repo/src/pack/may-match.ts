/** Returns whether a line of an ignore file may match a path, or a folder above it. */
export type MayMatch = (path: string) => boolean;

/** Patterns without special characters except `*`, `?` and `/`; minimatch gives other characters a meaning. */
const PLAIN = /^[\w .@*?/~,=%-]*$/;

/**
 * Parses a line as npm's library does (ignore-walk, which trims it and uses minimatch, ignoring case). The predicate
 * may return true by mistake; false means that the line has no effect. A pattern only matches paths with all words
 * between its wildcards. A pattern that begins with `!` also includes the parent folders of its match, so only the
 * words of its first folder count.
 * @returns undefined for an empty line or a comment
 */
export function mayMatch(line: string): MayMatch | undefined {
  const pattern = line.trim();
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const opens = pattern.startsWith("!");
  const plain = opens ? pattern.slice(1) : pattern;
  if (!PLAIN.test(plain) || plain.includes("..")) return () => true;
  const steps = plain.split("/").filter((step) => step !== "" && step !== ".");
  const words = (opens ? steps.slice(0, 1) : steps)
    .flatMap((step) => step.split(/[*?]+/))
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
  return (path) => {
    const lower = path.toLowerCase();
    // Outside of ASCII, case folding isn't certain.
    return (
      !/^[\x20-\x7e]*$/.test(path) ||
      words.every((word) => lower.includes(word))
    );
  };
}

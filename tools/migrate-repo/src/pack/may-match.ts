/** Whether a line of an ignore file may have a say about a path, or about a folder above it. */
export type MayMatch = (path: string) => boolean;

/** Of these characters a pattern means what it says, beside `*`, `?` and `/`; minimatch gives others a meaning. */
const PLAIN = /^[\w .@*?/~,=%-]*$/;

/**
 * Reads a line as npm's library does (ignore-walk, which trims it and asks minimatch, without regard to case). It errs on
 * the side of yes; a no means that the line might as well not be there. A pattern matches nothing that lacks one of the
 * words between its wildcards. One that begins with `!` also opens the folders on the way to what it names: of that one
 * only the first folder's words count.
 * @returns undefined for a line that says nothing
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
    // Of other letters it is not so clear what their small ones are.
    return (
      !/^[\x20-\x7e]*$/.test(path) ||
      words.every((word) => lower.includes(word))
    );
  };
}

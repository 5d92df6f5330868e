/** The places in which GitHub looks for the file, from the top of the repository. The first that exists counts. */
export const codeownersPaths = [
  ".github/CODEOWNERS",
  "CODEOWNERS",
  "docs/CODEOWNERS",
] as const;

/** A rule with paths and their owners. A rule without owners removes ownership. */
export interface OwnerRule {
  readonly owners: readonly string[];
  readonly matches: (path: string) => boolean;
}

/** The rules of a file, in its order. */
export type Codeowners = readonly OwnerRule[];

/**
 * Parses CODEOWNERS as GitHub does (docs: "About code owners"): the patterns of .gitignore but without `!`, `[…]` and
 * `\#`; `\ ` is a space in a path. It ignores a line with a mistake. GitLab's sections are such a mistake on GitHub.
 */
export function parseCodeowners(text: string): Codeowners {
  return text.split(/\r\n|\n|\r/).flatMap((line) => {
    const words = line.replace(/(^|\s)#.*$/, "").match(/(?:\\.|[^\s\\]|\\$)+/g);
    if (words === null) return [];
    const [first = "", ...owners] = words;
    if (/^!|[[\]]|\\#|\*{3}/.test(first)) return [];
    if (!owners.every((owner) => ownerForm.test(owner))) return [];
    const regex = patternRegex(first.replace(/\\(.)/g, "$1"));
    return [{ owners, matches: (path) => regex.test(path) }];
  });
}

/** A user, a team, or an e-mail address. */
const ownerForm = /^(@[\w.-]+(\/[\w.-]+)?|[^@\s]+@[^@\s]+\.[^@\s]+)$/;

/**
 * Reads CODEOWNERS from the first place that has it.
 * @param read reads a file by its path from the top of the repository; undefined if it doesn't exist
 * @returns its rules; none without such a file
 */
export async function readCodeowners(
  read: (path: string) => Promise<Buffer | undefined>,
): Promise<Codeowners> {
  for (const path of codeownersPaths) {
    const bytes = await read(path);
    if (bytes) return parseCodeowners(bytes.toString("utf8"));
  }
  return [];
}

/** Returns the owners of a path (from the top of the repository): those of the last rule that matches. */
export function ownersOfPath(
  codeowners: Codeowners,
  path: string,
): readonly string[] {
  return codeowners.findLast(({ matches }) => matches(path))?.owners ?? [];
}

/**
 * Returns the owners of a package: those of a file directly in its folder that no rule matches by name or extension. So
 * `/packages/ui/` and `/packages/` count, but `*.json` or `/packages/ui/docs/` don't.
 * @param dir the package's folder from the top of the repository, `.` for the top itself
 */
export function ownersOfPackage(
  codeowners: Codeowners,
  dir: string,
): readonly string[] {
  // A name that rules can match only by a wildcard.
  const file = "\u{f8ff}\u{f8ff}";
  return ownersOfPath(codeowners, dir === "." ? file : `${dir}/${file}`);
}

function patternRegex(pattern: string): RegExp {
  const folderOnly = pattern.endsWith("/");
  const parts = pattern.split("/").filter((part) => part !== "");
  if (parts.length === 0) return /^(?!)/;
  // A slash at the start or in the middle anchors the pattern to the top of the repository.
  const anchored = pattern.startsWith("/") || parts.length > 1;
  const body = parts
    .map((part, index) => {
      const last = index === parts.length - 1;
      if (part === "**") return last ? ".+" : "(?:[^/]+/)*";
      return `${partRegex(part)}${last ? "" : "/"}`;
    })
    .join("");
  // `docs/*` is the only pattern that GitHub treats differently from .gitignore: it matches files directly in docs, but
  // not in its sub-folders.
  const shallow = parts.length > 1 && parts.at(-1) === "*" && !folderOnly;
  const below = folderOnly ? "/.+" : shallow ? "" : "(?:/.*)?";
  return new RegExp(`^${anchored ? "" : "(?:.*/)?"}${body}${below}$`, "s");
}

function partRegex(part: string): string {
  return part
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, "[^/]*")
    .replaceAll("?", "[^/]");
}

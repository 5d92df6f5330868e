/** A commit object, split into the parts that a rewrite needs. Every part holds the original bytes. */
export interface RawCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** `Name <email> seconds zone`, without the word `author`. */
  readonly author: Buffer;
  readonly committer: Buffer;
  /** The value of the `encoding` header: the charset of the message. */
  readonly encoding: string | undefined;
  readonly signed: boolean;
  readonly message: Buffer;
}

const NEWLINE = 10;
const SPACE = 32;

/**
 * Parses a commit object (`git help cat-file`, the commit format of gitformat: headers, a blank line, the message).
 * @throws if the tree, author or committer is missing: git itself would not read such a commit
 */
export function parseCommit(content: Buffer): RawCommit {
  let tree: string | undefined;
  let author: Buffer | undefined;
  let committer: Buffer | undefined;
  let encoding: string | undefined;
  let signed = false;
  const parents: string[] = [];
  let at = 0;
  for (;;) {
    const found = content.indexOf(NEWLINE, at);
    const end = found < 0 ? content.length : found;
    if (end === at) break;
    // A line that begins with a space continues the previous header (the lines of a signature).
    const space = content.indexOf(SPACE, at);
    const key = content.toString("latin1", at, Math.min(space, end));
    const value = () => content.subarray(space + 1, end);
    if (space !== at) {
      if (key === "tree") tree = value().toString("latin1");
      else if (key === "parent") parents.push(value().toString("latin1"));
      else if (key === "author") author ??= value();
      else if (key === "committer") committer ??= value();
      else if (key === "encoding") encoding = value().toString("latin1");
      else if (key === "gpgsig" || key === "gpgsig-sha256") signed = true;
    }
    at = end + 1;
    if (at > content.length) break;
  }
  if (tree === undefined || author === undefined || committer === undefined)
    throw new Error("a commit lacks its tree, author or committer");
  return {
    tree,
    parents,
    author,
    committer,
    encoding,
    signed,
    message: content.subarray(Math.min(at + 1, content.length)),
  };
}

/** Formats a commit object, without the headers that refer to the original commit (signatures, merged tags). */
export function formatCommit(
  commit: Pick<RawCommit, "tree" | "parents" | "encoding" | "message"> & {
    readonly author: Buffer;
    readonly committer: Buffer;
  },
): Buffer {
  const { tree, parents, author, committer, encoding, message } = commit;
  const above = parents.map((parent) => `parent ${parent}\n`).join("");
  return Buffer.concat([
    Buffer.from(`tree ${tree}\n${above}author `, "latin1"),
    author,
    COMMITTER,
    committer,
    encoding === undefined
      ? BLANK_LINE
      : Buffer.from(`\nencoding ${encoding}\n\n`, "latin1"),
    message,
  ]);
}

const COMMITTER = Buffer.from("\ncommitter ");
const BLANK_LINE = Buffer.from("\n\n");

/** The form of a person and a time that git accepts: no `<` or `>` in names, whole seconds, a zone of digits. */
const WELL_FORMED = /^(?:[^<>\n]* )?<[^<>\n]*> \d+ [+-]\d+$/;

/**
 * Returns a person line that git accepts. Very old histories hold lines that git no longer writes (`<` in a name, a
 * missing date). They get the smallest possible fix, and are counted.
 */
export function personLine(raw: Buffer): {
  readonly line: Buffer;
  readonly mended: boolean;
} {
  const text = raw.toString("latin1");
  if (WELL_FORMED.test(text)) return { line: raw, mended: false };
  const date = /(\d+)(?: ([+-]\d+))?\s*$/.exec(text);
  const rest = date ? text.slice(0, date.index) : text;
  const open = rest.lastIndexOf("<");
  const name = (open < 0 ? rest : rest.slice(0, open)).replace(/[<>\n]/g, "");
  const email =
    open < 0
      ? ""
      : rest
          .slice(open + 1)
          .replace(/[<>\n]/g, "")
          .trim();
  const who = name.trim() === "" ? "" : `${name.trim()} `;
  return {
    line: Buffer.from(
      `${who}<${email}> ${date?.[1] ?? "0"} ${date?.[2] ?? "+0000"}`,
      "latin1",
    ),
    mended: true,
  };
}

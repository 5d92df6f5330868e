/** A commit as git stores it, cut into the parts a rewrite needs; every part is bytes as they were. */
export interface RawCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  /** `Name <email> seconds zone`, without the word `author`. */
  readonly author: Buffer;
  readonly committer: Buffer;
  /** Value of the `encoding` header: the charset of the message. */
  readonly encoding: string | undefined;
  readonly signed: boolean;
  readonly message: Buffer;
}

const NEWLINE = 10;
const SPACE = 32;

/**
 * Parses a commit object (`git help cat-file`, the commit format of gitformat: headers, a blank line, the message).
 * @throws when there is no tree, author or committer: git itself would not read such a commit
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
    // A line that begins with a space continues the header above it (a signature's lines).
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

/** Writes a commit object. Headers that speak of the commit it was made from (signatures, merged tags) are gone. */
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

/** The form of a person and a time that git accepts: no `<` or `>` inside, whole seconds, a zone of digits. */
const WELL_FORMED = /^(?:[^<>\n]* )?<[^<>\n]*> \d+ [+-]\d+$/;

/**
 * Returns a person line that git accepts. Very old histories hold some that git no longer writes (`<` in a name, a missing
 * date); those are mended the least that is needed, and counted.
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

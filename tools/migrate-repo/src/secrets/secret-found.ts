import { printable } from "@skein/reporting";

/** A credential in a source: what it is and where. Never the credential itself. */
export interface SecretFound {
  /** The kind of secret, in words; a rule of gitleaks by its id. */
  readonly kind: string;
  /** 1-based, in the file or the message. */
  readonly line: number;
  /** The file; undefined where it is in a message. */
  readonly path: string | undefined;
  /** The first commit that has it; undefined where git names none, or it is in a tag's message. */
  readonly commit: string | undefined;
  /** The tag whose message has it. */
  readonly tag?: string;
}

/** Returns each place in words: `src/a.js:3 (npm access token, commit 1692fbe73a)`. */
export function showSecret({
  kind,
  line,
  path,
  commit,
  tag,
}: SecretFound): string {
  const where =
    path ??
    `the message of ${tag === undefined ? "a commit" : `the tag ${tag}`}`;
  const what =
    commit === undefined ? kind : `${kind}, commit ${commit.slice(0, 10)}`;
  return printable(`${where}:${line} (${what})`);
}

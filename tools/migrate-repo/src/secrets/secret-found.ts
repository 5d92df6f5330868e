import { printable } from "@skein/reporting";

/** A credential in a source: its kind and its place, but never the credential itself. */
export interface SecretFound {
  /** The kind of secret, in words; for gitleaks, the id of its rule. */
  readonly kind: string;
  /** 1-based, in the file or the message. */
  readonly line: number;
  /** The path of the file; undefined for a message. */
  readonly path: string | undefined;
  /** The first commit with the credential; undefined if git finds none, or if it is in a tag's message. */
  readonly commit: string | undefined;
  /** The tag, if the message is that of a tag. */
  readonly tag?: string;
}

/** Returns a credential's place in words: `src/a.js:3 (npm access token, commit 1692fbe73a)`. */
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

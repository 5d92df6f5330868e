import { COMMENT_CAP } from "@skein/github";
import type { Comment, GitHub, PullRequestName } from "@skein/github";

/** Returns the marker that identifies our comment. Anyone can write this text, so the author must match too. */
const markerOf = (name: string) => `<!-- skein: ${name} verdict -->`;

/**
 * Shows a verdict in the pull request's one comment for it: creates the comment once, and edits it afterwards.
 * @param as the login that the token writes as, and the name that distinguishes this comment from those of other calls
 * @throws {GitHubError}
 */
export async function postComment(
  github: GitHub,
  pull: PullRequestName,
  markdown: string,
  { author, name }: { readonly author: string; readonly name: string },
): Promise<void> {
  const marker = markerOf(name);
  const body = cut(`${marker}\n${markdown}`, COMMENT_CAP);
  const own = findOwn(await github.comments(pull), author, marker);
  if (!own) await github.writeComment(pull, body);
  else if (own.body !== body)
    await github.editComment(pull.repository, own.id, body);
}

function findOwn(
  comments: readonly Comment[],
  author: string,
  marker: string,
): Comment | undefined {
  return comments.find(
    (comment) => comment.author === author && comment.body.startsWith(marker),
  );
}

/** Cuts a text to a maximum number of characters, after a complete line. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = "\n\n… the rest is in the job's summary\n";
  const head = text.slice(0, most - end.length);
  return head.slice(0, Math.max(0, head.lastIndexOf("\n"))) + end;
}

import { COMMENT_CAP } from "@skein/github";
import type { Comment, GitHub, PullRequestName } from "@skein/github";

/** How our comment is known again. Anybody can write these words, so the author counts too. */
const markerOf = (name: string) => `<!-- skein: ${name} verdict -->`;

/**
 * Shows a verdict in the one comment that a pull request has for it: written once, edited ever after.
 * @param as the login under which the token writes, and the name that tells this comment from another call's
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

/** Text of at most so many characters, cut behind a whole line. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = "\n\n… the rest is in the job's summary\n";
  const head = text.slice(0, most - end.length);
  return head.slice(0, Math.max(0, head.lastIndexOf("\n"))) + end;
}

import { COMMENT_CAP } from "@skein/github";
import type { Comment, GitHub, PullRequestName } from "@skein/github";

/** How our comment is known again. Anybody can write these words, so the author counts too. */
const MARKER = "<!-- skein: ci-dispatch verdict -->";

/**
 * Shows a verdict in the one comment that a pull request has for it: written once, edited ever after.
 * @param author login under which the token writes
 * @throws {GitHubError}
 */
export async function postComment(
  github: GitHub,
  pull: PullRequestName,
  markdown: string,
  author: string,
): Promise<void> {
  const body = cut(`${MARKER}\n${markdown}`, COMMENT_CAP);
  const own = findOwn(await github.comments(pull), author);
  if (!own) await github.writeComment(pull, body);
  else if (own.body !== body)
    await github.editComment(pull.repository, own.id, body);
}

function findOwn(
  comments: readonly Comment[],
  author: string,
): Comment | undefined {
  return comments.find(
    (comment) => comment.author === author && comment.body.startsWith(MARKER),
  );
}

/** Text of at most so many characters, cut behind a whole line. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = "\n\n… the rest is in the job's summary\n";
  const head = text.slice(0, most - end.length);
  return head.slice(0, Math.max(0, head.lastIndexOf("\n"))) + end;
}

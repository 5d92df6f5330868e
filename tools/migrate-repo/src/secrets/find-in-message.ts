import { openObjects, type Git, type GitObject } from "@skein/git";
import { findForms } from "./find-forms.js";
import type { SecretFound } from "./secret-found.js";

/** Returns the credentials in the message of a commit or a tag. Lines are counted from the start of the message. */
export function findInMessage(
  { id, type, content }: GitObject,
  tag?: string,
): readonly SecretFound[] {
  const start = content.indexOf("\n\n") + 2;
  return findForms(content.subarray(start)).map(({ kind, line }) => ({
    kind,
    line,
    path: undefined,
    commit: type === "commit" ? id : undefined,
    ...(tag !== undefined && { tag }),
  }));
}

/** Returns the credentials in the messages of annotated tags. @param tags full or short names, and their objects */
export async function findInTags(
  git: Git,
  tags: readonly { readonly name: string; readonly id: string }[],
): Promise<readonly SecretFound[]> {
  using objects = openObjects(git);
  const read = tags.map(async ({ name, id }) => {
    const object = await objects.read(id);
    return object?.type === "tag" ? findInMessage(object, name) : [];
  });
  return (await Promise.all(read)).flat();
}

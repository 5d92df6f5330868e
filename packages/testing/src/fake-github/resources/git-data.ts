import { notFound, type Route } from "../http.js";
import { gitBytes, listTree, readBlob, resolveCommit } from "../git-store.js";

const ID = /^[0-9a-f]{40}$/;

/** Encodes content in base64 as GitHub does: in lines of 60 characters, with a newline at the end. */
function wrapBase64(content: Buffer): string {
  return content.toString("base64").replaceAll(/.{1,60}/g, "$&\n");
}

/** Trees and blobs, as git returns them. */
export const gitData: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
    permission: "contents",
    async answer(request) {
      const { dir, treeCap, url: of } = request.repository;
      const name = request.params["tree_sha"] ?? "";
      const commit = await resolveCommit(dir, name);
      const id = (
        await gitBytes(dir, "rev-parse", "--verify", `${commit ?? name}^{tree}`)
      )
        ?.toString()
        .trim();
      const recursive = request.query.has("recursive");
      const entries = id && (await listTree(dir, id, recursive));
      if (!entries) throw notFound();
      const url = `${of}/git`;
      const cap = recursive ? treeCap : Infinity;
      return {
        body: {
          sha: id,
          url: `${url}/trees/${id}`,
          tree: entries
            .slice(0, cap)
            .map(({ id: sha, size, type, ...entry }) => ({
              ...entry,
              type,
              sha,
              ...(size !== undefined && { size }),
              ...(type !== "commit" && { url: `${url}/${type}s/${sha}` }),
            })),
          truncated: entries.length > cap,
        },
      };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/git/blobs/{file_sha}",
    permission: "contents",
    async answer(request) {
      const { dir, url } = request.repository;
      const id = request.params["file_sha"] ?? "";
      const content = ID.test(id) ? await readBlob(dir, id) : undefined;
      if (!content) throw notFound();
      return {
        body: {
          sha: id,
          node_id: `B_${id}`,
          url: `${url}/git/blobs/${id}`,
          size: content.length,
          encoding: "base64",
          content: wrapBase64(content),
        },
      };
    },
  },
];

import { commitTree, openObjects, type Git } from "@skein/git";
import type { MigrationRequest, SourceAddress } from "../migration.js";
import { mainFolder } from "../names/names.js";

/** Returns the name in the source's package.json, or the source's own name if there is none. */
export async function findName(
  git: Git,
  tip: string,
  request: MigrationRequest,
  address: SourceAddress,
): Promise<string> {
  const folder = mainFolder(request.only);
  using objects = openObjects(git);
  try {
    const file = await commitTree(git, objects, tip).read(
      folder === "" ? "package.json" : `${folder}/package.json`,
    );
    const parsed = JSON.parse(file?.toString("utf8") ?? "{}") as {
      name?: unknown;
    } | null;
    if (typeof parsed?.name === "string") return parsed.name;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const last = /([^/:]+?)(?:\.git)?\/*$/.exec(
    folder === "" ? address.fetchFrom : folder,
  );
  return last?.[1] ?? "";
}

import { commitTree, openObjects, type Git } from "@skein/git";
import type { MigrationRequest, SourceAddress } from "../migration.js";
import { fieldsIn } from "@skein/reporting/json-fields";
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
  const file = await commitTree(git, objects, tip).read(
    folder === "" ? "package.json" : `${folder}/package.json`,
  );
  const { name } = fieldsIn(file);
  if (typeof name === "string") return name;
  const last = /([^/:]+?)(?:\.git)?\/*$/.exec(
    folder === "" ? address.fetchFrom : folder,
  );
  return last?.[1] ?? "";
}

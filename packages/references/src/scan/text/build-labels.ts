import type { Collector } from "../positions.js";

/** The label of a file of the workspace in Bazel, Buck and Pants: `load("//tools:defs.bzl", "x")`. */
const LABEL = /(?<=["']@{0,2})\/\/([\w./-]*):([\w./-]+\.\w+)(?=["'])/g;

/** A file that Terragrunt looks for in the folders above. */
const IN_PARENTS = /\bfind_in_parent_folders\(\s*(?:"([\w./-]+)")?/g;
/** The names that it looks for without an argument. */
const BY_DEFAULT = ["terragrunt.hcl", "root.hcl"];
/** The folders above in which it is expected. */
const LEVELS = ["../", "../../", "../../../", "../../../../"];

/** Notes the files that build systems find from the root, or in a folder above. */
export function addLabels(text: string, found: Collector): void {
  if (text.includes('"//') || text.includes("'//") || text.includes("@//"))
    for (const { 1: folder = "", 2: name = "", index } of text.matchAll(LABEL))
      found.add(
        folder === "" ? name : `${folder}/${name}`,
        "root-path",
        index + 2,
      );
  if (text.includes("find_in_parent_folders"))
    for (const { 1: name, index } of text.matchAll(IN_PARENTS))
      for (const file of name === undefined ? BY_DEFAULT : [name])
        for (const level of LEVELS)
          found.add(`${level}${file}`, "path-string", index);
}
